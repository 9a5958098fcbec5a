"""Bodies that Schemathesis can't make up on its own: bytes."""

import schemathesis


@schemathesis.serializer("application/x-tar", "application/offset+octet-stream", "*/*")
def as_bytes(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
