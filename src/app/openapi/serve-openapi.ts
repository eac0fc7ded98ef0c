import type { INestApplication } from '@nestjs/common';
import type { Express } from 'express';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PreparedAnswer } from '../../platform/http/prepared-answer';

const FOLDER = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The files of Swagger UI that the page uses. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parley API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/show-document.js"></script>
  </body>
</html>
`;

const SCRIPT = `SwaggerUIBundle({ url: '/docs-json', dom_id: '#swagger-ui', deepLinking: true });\n`;

const ROOT = join(__dirname, '..', '..');
/** The build puts it there; src/ has none. Making it from the decorators would stop the event loop for a second. */
const BUILT = join(ROOT, 'openapi.json');
const DOCUMENT = existsSync(BUILT) ? BUILT : join(ROOT, '..', 'docs', 'openapi.json');

/** The document as JSON and YAML, and a page that shows it, with nothing fetched from elsewhere. */
export function serveOpenApi(app: INestApplication): void {
  const document = () => readFile(DOCUMENT);
  const files = FILES.map((name) => {
    const read = () => readFile(join(FOLDER, name));
    return [`/docs/${name}`, new PreparedAnswer(name, read)] as const;
  });
  const answers: (readonly [path: string, answer: PreparedAnswer])[] = [
    ['/docs', new PreparedAnswer('html', () => PAGE)],
    ['/docs/show-document.js', new PreparedAnswer('js', () => SCRIPT)],
    ...files,
    ['/docs-json', new PreparedAnswer('json', document)],
    // JSON is YAML too.
    ['/docs-yaml', new PreparedAnswer('application/yaml', document)],
  ];
  const express = app.getHttpAdapter().getInstance() as Express;
  for (const [path, answer] of answers) express.get(path, answer.send);
  // As a text, the path would also match //.
  express.get(/^\/$/, (_, response) => response.redirect('/docs'));
}
