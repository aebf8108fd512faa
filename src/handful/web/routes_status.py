"""Routes for those who run the server: is it alive, is it ready, and its metrics.

Invariant: metrics are answered at the server's own machine only, and never through a proxy.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from handful.errors import Message
from handful.store import SQLStore
from handful.web import schemas
from handful.web.faults import Fault
from handful.web.reach import is_loopback
from handful.web.responses import server_of

# A proxy on the same machine connects from loopback, too, and says so with one of these.
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-real-ip")

router = APIRouter()


def is_at_this_machine(request: Request) -> bool:
    """Return whether a request comes from the machine that runs the server, and through no proxy."""
    host = request.client.host if request.client else ""
    return is_loopback(host) and not any(name in request.headers for name in FORWARDED)


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", responses={503: {"model": schemas.ErrorResponse}})
async def health(request: Request) -> schemas.HealthResponse:
    """Report that the server runs and can read its file."""
    await server_of(request).database.read(SQLStore.count_published)
    return schemas.HealthResponse(status="ok")


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz", responses={503: {"model": schemas.ErrorResponse}})
async def readiness(request: Request) -> schemas.HealthResponse:
    """Report that commands can be saved: the tables' thread answers, and the file can be written."""
    server = server_of(request)
    await server.database.run(SQLStore.count_published)
    if server.status.failed:
        raise Fault(503, "store", Message("server.not_ready"))
    return schemas.HealthResponse(status="ok")


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}, 403: {"model": schemas.ErrorResponse}},
)
async def get_metrics(request: Request) -> Response:
    """Return counts and times for Prometheus; only at the machine that runs the server."""
    if not is_at_this_machine(request):
        raise Fault(403, "forbidden", Message("server.only_here"))
    return Response(server_of(request).metrics.text(), media_type=CONTENT_TYPE_LATEST)
