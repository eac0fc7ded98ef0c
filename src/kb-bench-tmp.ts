import { Client } from 'pg';
import { randomUUID } from 'node:crypto';
import { ADD_PASSAGES, COUNT_WORDS } from './knowledge-base/passages.sql';
import { SEARCH } from './knowledge-base/search.sql';
import { migrate } from './database/migrate';

const url = process.env.DATABASE_URL as string;
let seed = 7;
const random = () => Math.random();
const syllables =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu ster ment ing tion ness'.split(
    ' ',
  );
const vocabulary = Array.from({ length: 50_000 }, (_, n) => {
  let w = '';
  const k = 1 + Math.floor(Math.log10(n + 2));
  for (let i = 0; i < k + 1; i++) w += syllables[Math.floor(random() * syllables.length)];
  return w;
});
const word = () =>
  vocabulary[
    Math.min(vocabulary.length - 1, Math.floor(Math.exp(random() * Math.log(vocabulary.length)) - 1))
  ] as string;
const passage = () => Array.from({ length: 150 }, word).join(' ');

(async () => {
  const c = new Client(url);
  await c.connect();
  if (process.argv[2] === 'load') {
    await migrate({ DATABASE_URL: url });
    await c.query('truncate workspaces cascade'); if (process.env.FAST) await c.query('alter index knowledge_base_passages_search_idx set (fastupdate = on)');
    const ws = randomUUID();
    await c.query('insert into workspaces (id, name) values ($1, $2)', [ws, 'bench']);
    for (const [name, n] of [
      ['big', 100_000],
      ['small', 100],
      ['medium', 10_000],
    ] as const) {
      const kb = randomUUID(),
        source = randomUUID();
      await c.query(
        `insert into knowledge_bases (id, workspace_id, name, type) values ($1,$2,$3,'documents')`,
        [kb, ws, name],
      );
      await c.query(
        `insert into knowledge_base_sources (id, workspace_id, knowledge_base_id, position, type, name, passages) values ($1,$2,$3,0,'txt','x',$4)`,
        [source, ws, kb, n],
      );
      const t = Date.now();
      for (let i = 0; i < n; i += 500) {
        const texts = Array.from({ length: Math.min(500, n - i) }, passage);
        await c.query(ADD_PASSAGES, [source, kb, i, texts, texts]);
      }
      const t2 = Date.now();
      await c.query(COUNT_WORDS, [source]);
      console.log(name, 'passages', t2 - t, 'ms, words', Date.now() - t2, 'ms');
    }
    await c.query('analyze');
  }
  const { rows } = await c.query(`select id, name from knowledge_bases`);
  console.log(
    (
      await c.query(
        `select relname, pg_size_pretty(pg_relation_size(oid)) s from pg_class where relname like 'knowledge_base_%' and pg_relation_size(oid) > 100000`,
      )
    ).rows
      .map((r) => r.relname + ' ' + r.s)
      .join('\n'),
  );
  const top = (
    await c.query(
      `select word, w.passages from knowledge_base_words w join knowledge_base_sources s on s.id = source_id and s.passages = 100000 order by w.passages desc limit 30000`,
    )
  ).rows as { word: string; passages: number }[];
  const w = (n: number) => top[n]?.word as string;
  const typo = (s: string) => s.slice(0, -2) + s.slice(-1);
  const queries = {
    rare: w(20000),
    common: w(0),
    'three common': [w(0), w(1), w(2)].join(' '),
    'question of ten words': [w(0), w(1), w(3), w(5), w(10), w(50), w(200), w(1000), w(5000), w(20000)].join(
      ' ',
    ),
    misspelt: typo(w(3000)),
    'three misspelt': [typo(w(3000)), typo(w(500)), typo(w(9000))].join(' '),
    unknown: 'xyzzyplugh',
    '50 words': Array.from({ length: 50 }, (_, n) => w(n * 37))
      .join(' ')
      .slice(0, 500),
    '50 common words': Array.from({ length: 50 }, (_, n) => w(n))
      .join(' ')
      .slice(0, 500),
    'hundred letters': 'a '.repeat(250),
  };
  for (const { id, name } of rows)
    for (const [what, q] of Object.entries(queries)) {
      const times: number[] = [];
      let found = 0;
      for (let i = 0; i < 7; i++) {
        const t = performance.now();
        found = (await c.query({ name: SEARCH.name, text: SEARCH.text, values: [id, q, 5] })).rows.length;
        times.push(performance.now() - t);
      }
      times.sort((a, b) => a - b);
      console.log(
        name.padEnd(8),
        what.padEnd(24),
        String(found),
        'median',
        times[3]!.toFixed(1),
        'max',
        times[6]!.toFixed(1),
      );
    }
  if (process.argv[3]) {
    const { rows: plan } = await c.query(
      `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${SEARCH.text
        .replace('$1', `'${rows.find((r) => r.name === 'big').id}'`)
        .replaceAll('$1', `'${rows.find((r) => r.name === 'big').id}'`)
        .replaceAll('$2', `'${(queries as any)[process.argv[3]]}'`)
        .replaceAll('$3', '5')}`,
    );
    console.log(plan.map((r) => r['QUERY PLAN']).join('\n'));
  }
  await c.end();
})();
