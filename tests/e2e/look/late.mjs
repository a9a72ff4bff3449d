// A line so slow that readers see a page while it comes: its text, 400 ms later what stands behind the text, and pictures last of all.
import { createServer } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';

const PART = 400;
const PICTURE = 900;

/** Puts the line before a service; the origin to ask, and how to take the line away. */
export async function late(service) {
  const line = createServer(async (request, response) => {
    const answer = await fetch(service + request.url, { headers: { 'accept-encoding': 'identity', accept: request.headers.accept } });
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    if (type.startsWith('image/')) await after(PICTURE);
    response.writeHead(answer.status, { 'content-type': type });
    if (type.startsWith('text/html')) {
      const end = body.indexOf('</main>') + '</main>'.length;
      response.write(body.subarray(0, end));
      await after(PART);
      response.end(body.subarray(end));
    } else {
      response.end(body);
    }
  });
  await new Promise((resolve) => { line.listen(0, '127.0.0.1', resolve); });
  return { origin: `http://127.0.0.1:${line.address().port}`, close: () => line.close() };
}
