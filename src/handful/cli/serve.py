"""`handful serve`: the web server for tables, with one file and no other service."""

from __future__ import annotations

from urllib.parse import urlsplit

import click

from handful.cli import console
from handful.cli.arguments import WithExamples
from handful.cli.check_request import parse_digits
from handful.errors import Message, NotInstalled, Refused

EXAMPLES = [
    ("handful serve", "only on this machine, at http://127.0.0.1:8000"),
    ("handful serve --data friday.handful --port 8080", "with another file and port"),
    (
        "handful serve --host 0.0.0.0 --public https://dice.example",
        "for others, behind a proxy with TLS",
    ),
]
LEVELS = ("critical", "error", "warning", "info", "debug")


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.option(
    "--host", envvar="HANDFUL_HOST", default="127.0.0.1", show_default=True, help="Address to listen on."
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
    help="File for all tables; created if missing.",
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
    "--log-level",
    envvar="HANDFUL_LOG_LEVEL",
    default="info",
    show_default=True,
    metavar="|".join(LEVELS),
    help="Log messages of at least this level.",
)
def serve(host: str, typed_port: str, data: str, public: str, proxies: str, log_level: str) -> None:
    """Serve tables to browsers.

    One process and one file; no database or other service is needed.
    """
    port = parse_digits(typed_port)
    if port is None or port > 65_535:
        raise Refused(Message("serve.bad_port", typed=typed_port[:20]))
    if log_level not in LEVELS:
        raise Refused(Message("serve.bad_log_level", levels=LEVELS, typed=log_level[:20]))
    parts = urlsplit(public)
    has_origin = parts.scheme in ("http", "https") and parts.netloc
    if public and (not has_origin or parts.path.strip("/") or parts.query or parts.fragment):
        raise Refused(Message("serve.bad_public"), Message("serve.public_example"))
    try:
        from handful.web.middleware import is_loopback
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
    run(Settings(host, port, data, public.rstrip("/"), log_level, proxies))
