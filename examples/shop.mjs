// A shop that takes bookings from agents, each once: node examples/shop.mjs [port]
// It honours Idempotency-Key, so the tool that asks it may have "idempotent": true.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** The answers by their keys. A real shop keeps them with its bookings, in one transaction. */
const answers = new Map();
const bookings = [];

function book({ day, persons }) {
  if (typeof day !== 'string' || !Number.isInteger(persons) || persons < 1)
    return [400, { error: 'day must be a text, and persons a whole number from 1' }];
  const taken = bookings.filter((booking) => booking.day === day).length;
  if (taken >= 10) return [409, { error: `There is no free table on ${day}` }];
  const booking = { id: `b-${bookings.length + 1}`, day, persons };
  bookings.push(booking);
  return [201, { booking }];
}

async function answer(request) {
  if (request.method === 'GET') return [200, { bookings }];
  const key = request.headers['idempotency-key'];
  const body = await json(request);
  if (request.headers['x-parley-test'] === 'true') return [200, { test: body }];
  if (!answers.has(key)) answers.set(key, book(body));
  return answers.get(key);
}

const shop = createServer(async (request, response) => {
  const [status, body] = await answer(request).catch(() => [400, { error: 'The body is no JSON' }]);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

shop.listen(Number(process.argv[2] ?? 4000), '127.0.0.1', () => {
  console.log(`The shop answers at http://127.0.0.1:${shop.address().port}/bookings`);
});
