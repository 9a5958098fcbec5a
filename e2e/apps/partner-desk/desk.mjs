// A settings page for the core's users, and a callback that a partner without any credential calls.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

async function partnerOf(request) {
  const state = await fetch(`${process.env.PLATFORM_STATE_API}/state/${request.headers["x-platform-key"]}`);
  return (await state.json()).settings.partner;
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://desk");
  if (pathname === "/health") return response.end("ok");
  if (pathname === "/_app/install") {
    console.log(`registering ${searchParams.get("route")}/callbacks/orders`);
    return response.end();
  }
  const partner = await partnerOf(request);
  if (pathname === "/settings") {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader("set-cookie", "desk=1");
    return response.end(`<h1>Partner</h1><p>${partner}</p><script>document.cookie = "x=1"</script>`);
  }
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({
      partner,
      method: request.method,
      path: request.url,
      cookie: request.headers.cookie ?? null,
      body: await text(request),
    }),
  );
}).listen(process.env.PLATFORM_PORT);
