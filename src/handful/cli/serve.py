"""`handful serve`: the web server for tables, with one file and no other service."""

from __future__ import annotations

import os
import sys
from urllib.parse import urlsplit

import click

from handful.cli import console
from handful.cli.arguments import WithExamples
from handful.cli.check_request import parse_digits
from handful.errors import Message, NotInstalled, Refused

EXAMPLES = [
    ("handful serve --open", "only on this machine, at http://127.0.0.1:8000, and open the browser"),
    ("handful serve --lan", "for everybody on the same network, such as friends with phones"),
    ("handful serve --data friday.handful --port 8080", "with another file and port"),
    (
        "handful serve --host 0.0.0.0 --public https://dice.example",
        "for others, behind a proxy with TLS",
    ),
]
MOST_WORKERS = 64
LEVELS = ("critical", "error", "warning", "info", "debug")


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.option(
    "--host", envvar="HANDFUL_HOST", default="127.0.0.1", show_default=True, help="Address to listen on."
)
@click.option(
    "--lan",
    is_flag=True,
    envvar="HANDFUL_LAN",
    help="Listen on all interfaces: others on the same network can join.",
)
@click.option(
    "--port",
    "typed_port",
    envvar="HANDFUL_PORT",
    default="8000",
    show_default=True,
    metavar="N",
    help="Port to listen on.",
)
@click.option(
    "--data",
    envvar="HANDFUL_DATA",
    default="handful.db",
    show_default=True,
    metavar="FILE",
    help="File for all tables, created if missing; or a database at postgresql://…",
)
@click.option(
    "--workers",
    "typed_workers",
    envvar="HANDFUL_WORKERS",
    default="1",
    show_default=True,
    metavar="N",
    help="Number of processes that serve.",
)
@click.option(
    "--public",
    envvar="HANDFUL_PUBLIC",
    default="",
    metavar="ADDRESS",
    help="Public address, such as https://dice.example.",
)
@click.option(
    "--proxies",
    envvar="HANDFUL_PROXIES",
    default="127.0.0.1,::1",
    show_default=True,
    metavar="ADDRESSES",
    help="With --public: proxies whose X-Forwarded-For is trusted, as addresses or networks.",
)
@click.option(
    "--open/--no-open",
    "opens",
    envvar="HANDFUL_OPEN",
    help="Open the browser when the server has started.",
)
@click.option(
    "--log-level",
    envvar="HANDFUL_LOG_LEVEL",
    default="info",
    show_default=True,
    metavar="|".join(LEVELS),
    help="Log messages of at least this level.",
)
@click.option(
    "--log-format",
    envvar="HANDFUL_LOG_FORMAT",
    default="text",
    show_default=True,
    type=click.Choice(["text", "json"]),
    help="Write log lines as text, or each as a JSON object.",
)
@click.pass_context
def serve(
    context: click.Context,
    host: str,
    lan: bool,
    typed_port: str,
    data: str,
    typed_workers: str,
    public: str,
    proxies: str,
    opens: bool,
    log_level: str,
    log_format: str,
) -> None:
    """Serve tables to browsers.

    One process and one file; no database or other service is needed.  With a database, several
    processes and machines serve the same tables.
    """
    port = parse_digits(typed_port)
    if port is None or port > 65_535:
        raise Refused(Message("serve.bad_port", typed=typed_port[:20]))
    workers = parse_digits(typed_workers)
    if workers is None or not 1 <= workers <= MOST_WORKERS:
        raise Refused(Message("serve.bad_workers", typed=typed_workers[:20], most=MOST_WORKERS))
    if workers > 1 and not hasattr(os, "fork"):
        raise Refused(Message("serve.one_worker"))
    if log_level not in LEVELS:
        raise Refused(Message("serve.bad_log_level", levels=LEVELS, typed=log_level[:20]))
    parts = urlsplit(public)
    has_origin = parts.scheme in ("http", "https") and parts.netloc
    if public and (not has_origin or parts.path.strip("/") or parts.query or parts.fragment):
        raise Refused(Message("serve.bad_public"), Message("serve.public_example"))
    _refuse_beside_lan(context)
    try:
        from handful.web.reach import is_loopback
        from handful.web.run import run
        from handful.web.settings import Settings
        from handful.web.visitors import networks
    except ModuleNotFoundError as missing:
        raise NotInstalled(
            Message("serve.needs_package", name=missing.name), "pip install 'handful[web]'"
        ) from None
    try:
        networks(proxies)
    except ValueError:
        raise Refused(
            Message("serve.bad_proxies", proxies=proxies[:60]), Message("serve.proxies_example")
        ) from None
    if not is_loopback(host) and not public:
        console.print_error(Message("serve.is_public"))
    settings = Settings(host, port, data, public.rstrip("/"), log_level, proxies, workers, lan, log_format)
    run(settings, on_started=_open_browser if opens else lambda address: None)


def _refuse_beside_lan(context: click.Context) -> None:
    """Refuse flags that say something else than --lan about where to listen."""
    if not context.params["lan"]:
        return
    hints = {"host": Message("serve.lan_or_host"), "public": Message("serve.lan_or_public")}
    for name, hint in hints.items():
        given = context.get_parameter_source(name)
        if given is not click.core.ParameterSource.DEFAULT and context.params[name]:
            raise Refused(Message("serve.beside_lan", flag=f"--{name}"), hint)


def _open_browser(address: str) -> None:
    """Open a page in the user's browser, without waiting for it; say so if there is none."""
    import threading

    def work() -> None:
        import webbrowser

        if not _has_screen() or not webbrowser.open_new_tab(address):
            console.print_error(Message("serve.no_browser", address=address))

    threading.Thread(target=work, daemon=True).start()


def _has_screen() -> bool:
    """Return whether a browser could show a window; a browser in this terminal would hide the log."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"))
