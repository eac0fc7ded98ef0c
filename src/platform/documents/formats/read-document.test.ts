import iconv from 'iconv-lite';
import { UnreadableDocumentError } from '../unreadable-document.error';
import { readDocument } from './read-document';

const page = (body: string, title = 'Hours') =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

const readByName = (name: string, content: string | Buffer, contentType = '') =>
  readDocument({ name, contentType, decidedBy: 'name', bytes: Buffer.from(content as string) });

const readByType = (name: string, content: string | Buffer, contentType = '') =>
  readDocument({ name, contentType, decidedBy: 'contentType', bytes: Buffer.from(content as string) });

const readText = async (html: string) => (await readByName('a.html', html)).text;

async function findReason(read: Promise<unknown>): Promise<string> {
  try {
    await read;
  } catch (error) {
    if (error instanceof UnreadableDocumentError) return error.message;
    throw error;
  }
  return 'none';
}

describe('A document whose media type decides', () => {
  const html = '<p>Open from <b>nine</b></p>';

  test.each(['README.md', 'robots.txt', 'data.csv', 'manual.pdf', 'file.docx', 'page.php', ''])(
    'is HTML if its media type says so, whatever its name is: %s',
    async (name) => {
      expect(await readByType(name, html, 'text/html; charset=utf-8')).toEqual({
        kind: 'html',
        mediaType: 'text/html',
        text: 'Open from nine',
      });
    },
  );

  test.each([
    ['hours.md', 'text/plain; charset=utf-8', 'md'],
    ['hours.csv', 'text/plain', 'csv'],
    ['hours.html', 'text/plain', 'txt'],
    ['hours.html', 'text/csv', 'csv'],
    ['hours.pdf', 'text/plain', 'txt'],
    ['hours.md', '', 'md'],
    ['hours.md', 'application/octet-stream', 'md'],
    ['hours.v2', '', 'txt'],
  ])('named %s of type %j is %s', async (name, contentType, kind) => {
    expect((await readByType(name, 'Open: from nine', contentType)).kind).toBe(kind);
  });

  test('is refused if its media type is not known', async () => {
    expect(await findReason(readByType('hours.txt', '{}', 'application/json'))).toMatch(
      /^its type application\/json is not known/,
    );
  });
});

describe('A document whose name decides', () => {
  test.each(['data.csv', 'notes.md', 'notes.txt', 'hours'])(
    'is HTML if it begins as a page, whatever its name is: %s',
    async (name) => {
      for (const start of ['', '\ufeff \n', '<?xml version="1.0"?>\n']) {
        expect(await readByName(name, start + page('<p>Open from nine'))).toMatchObject({ kind: 'html' });
      }
    },
  );

  test('is not HTML where it only mentions a tag', async () => {
    expect((await readByName('a.md', 'Write `<html>` first')).kind).toBe('md');
  });
});

describe('A page', () => {
  test.each([
    ['nothing', ''],
    ['an element for its scripts', '<div id="root"></div><script>var a = 1;</script>'],
    ['controls', '<form><input value="x"><button>Send</button><select><option>One</select></form>'],
  ])('of a title and %s has no text', async (_, body) => {
    expect(await findReason(readText(page(body, 'My App')))).toBe(
      'it has no text; text that scripts create is not read',
    );
  });

  test('within a form keeps its text, but not its controls', async () => {
    const form =
      '<form action="/"><h1>Hours</h1><p>Open from nine</p><label>Your name</label><input value="secret">' +
      '<select><option>One</option></select><textarea>Two</textarea><button>Three</button></form>';
    expect(await readText(page(form))).toBe('Hours\n\nOpen from nine\n\nYour name');
  });

  test.each([
    [
      'a list of terms',
      '<dl><dt>Opening</dt><dd>nine to five</dd><dt>Closing</dt><dd>late</dd></dl>',
      'Opening\nnine to five\nClosing\nlate',
    ],
    [
      'details',
      '<details><summary>Where?</summary>At the corner</details>after',
      'Where?\nAt the corner\nafter',
    ],
    ['an address', 'Visit us<address>Main Street 1</address>soon', 'Visit us\nMain Street 1\nsoon'],
    ['a figure', '<figure><img src="a.png"><figcaption>The shop</figcaption></figure>open', 'The shop\nopen'],
    ['a fieldset', '<fieldset><legend>Where</legend>here</fieldset>there', 'Where\nhere\nthere'],
    ['items without a list', '<li>One</li><li>Two</li>', 'One\nTwo'],
    [
      'a table with a caption',
      '<table><caption>Prices</caption><tr><th>Chair</th><td>12</td></tr><tr><th>Table</th><td>30</td></tr></table>',
      'Prices\nChair   12\nTable   30',
    ],
  ])('keeps words apart: %s', async (_, html, text) => {
    expect((await readText(`<body>${html}`)).replace(/\n+/g, '\n').replace(/ {3,}/g, '   ')).toBe(text);
  });

  test('with a caption on a very large table keeps it', async () => {
    const cells = '<td>12</td>'.repeat(30_000);
    expect(await readText(`<table><caption>Prices</caption><tr>${cells}</tr></table>`)).toMatch(
      /^Prices\n+12 {3}12/,
    );
  });
});

const MORE =
  '<p>Our shop sells chairs, tables and lamps. Visitors are welcome in the house on Main Street. We repair old ' +
  'furniture too, in the workshop behind the house, and deliver what you buy on the same day in the whole town.</p>';

/** The lines of a page with a paragraph that makes it long enough to have a main part. */
async function readLines(body: string): Promise<string[]> {
  const lines = (await readText(page(`<main>${body}${MORE}</main>`, 'FAQ')))
    .split(/\n+/)
    .map((line) => line.trim());
  return lines.filter((line) => !line.startsWith('Our shop') && line !== 'FAQ');
}

describe('An accordion of a page', () => {
  const closed = 'aria-expanded="false"';

  test.each([
    [
      'buttons within headings, and panels that are named',
      `<h2><button ${closed} aria-controls="a">Where?</button></h2><div id="a" hidden>At the <b>corner</b></div>`,
    ],
    [
      'buttons within headings, and panels that follow them',
      `<div><h3><button ${closed}>Where?</button></h3></div><div style="height: 0; display: none"><p>At the corner</div>`,
    ],
    [
      'buttons without headings',
      `<button ${closed} aria-controls="a">Where?</button><div id="a" class="hidden" aria-hidden="true">At the corner</div>`,
    ],
    [
      'buttons within headings on lines of their own',
      `<div>\n<h3>\n<button ${closed}>Where?</button>\n</h3>\n</div>\n<div hidden>At the corner</div>`,
    ],
    ['terms', `<dl><dt><button ${closed}>Where?</button></dt><dd hidden>At the corner</dd></dl>`],
    [
      'links',
      `<h3><a role="button" href="#" ${closed}>Where?</a></h3><div style="visibility:hidden">At the corner</div>`,
    ],
    [
      'panels that browsers find within',
      '<h3><button>Where?</button></h3><div hidden="until-found">At the corner</div>',
    ],
    ['details', '<details><summary><h3>Where?</h3></summary><p>At the corner</details>'],
    [
      'tabs',
      '<div role="tablist"><button role="tab" aria-controls="a">Where?</button></div>' +
        '<div role="tabpanel" id="a" hidden><p>At the corner</div>',
    ],
    [
      'accordions',
      `<h3><button ${closed} aria-controls="a">Where?</button></h3><div id="a" hidden>` +
        `<button ${closed} aria-controls="b">In the town</button><div id="b" hidden>At the corner</div></div>`,
      'In the town',
    ],
    [
      'Bootstrap 5',
      '<p><button data-bs-toggle="collapse" data-bs-target="#a">Where?</button></p>' +
        '<div class="collapse" id="a" hidden>At the corner</div>',
    ],
    [
      'Bootstrap 4',
      '<div><h5><button data-toggle="collapse" data-target="#a">Where?</button></h5><br></div><p></p>' +
        '<div class="collapse" id="a" aria-hidden="true">At the corner</div>',
    ],
    [
      'links of Bootstrap',
      '<a data-bs-toggle="collapse" href="#a">Where?</a><div id="a" style="display: none">At the corner</div>',
    ],
    [
      'tabs of Bootstrap',
      '<div role="tablist"><button data-bs-toggle="pill" data-bs-target="#a">Where?</button></div>' +
        '<div id="a" hidden><p>At the corner</div>',
    ],
    [
      'Bootstrap 5 whose headings have a class of headers',
      '<div class="accordion-item"><h2 class="accordion-header" id="flush-headingOne"><button class="accordion-button ' +
        'collapsed" data-bs-toggle="collapse" data-bs-target="#a">Where?</button></h2><div id="a" class="accordion-' +
        'collapse collapse" data-bs-parent="#faq"><div class="accordion-body">At the corner</div></div></div>',
    ],
    [
      'Bootstrap 4 whose cards have headers',
      '<div class="card"><div class="card-header" id="headingOne"><i class="icon"></i><h5 class="mb-0"><button ' +
        'class="btn btn-link" data-toggle="collapse" data-target="#a">Where?</button></h5></div><div id="a" ' +
        'class="collapse"><div class="card-body">At the corner</div></div></div>',
    ],
    [
      'links within headers',
      '<div class="card"><div class="card-header"><a class="card-link" data-toggle="collapse" href="#a">Where?</a>' +
        '</div><div id="a" class="collapse"><div class="card-body">At the corner</div></div></div>',
    ],
    [
      'links that are longer than their answers',
      `<div><h3><a role="button" href="#" ${closed} aria-controls="a">At which of the corners?</a></h3>` +
        '<div id="a">At the corner</div></div>',
      '',
      'At which of the corners?',
    ],
    [
      'buttons that are headers by their class',
      `<div class="faq-header" role="button" ${closed} aria-controls="a">Where?</div><div id="a" hidden>At the corner</div>`,
    ],
    [
      'details whose summary is a header by its class',
      '<details><summary class="faq-header">Where?</summary><p>At the corner</details>',
    ],
    [
      'plain buttons before panels that browsers find within',
      '<button>Where?</button><div hidden="UNTIL-FOUND">At the corner</div>',
    ],
    [
      'buttons of popovers',
      '<button popovertarget="a">Where?</button><div id="a" popover>At the corner</div>',
    ],
    [
      'plain buttons that are named accordions',
      '<button class="accordion">Where?</button><div class="panel" style="display: none">At the corner</div>',
    ],
    [
      'plain buttons that are named questions',
      '<div class="faq-item"><button class="faq-question">Where?</button><div class="faq-answer">At the corner</div></div>',
    ],
    [
      'items',
      `<ul><li><button ${closed}>Where?</button><div hidden>At the corner</div></li></ul>`,
      '',
      '* Where?',
    ],
    [
      'parts that repeat',
      `<div><button ${closed}>Where?</button><p hidden>In the town</p></div>` +
        `<div><button ${closed}>In the town?</button><p hidden>At the corner</p></div>`,
      'In the town\nIn the town?',
    ],
    [
      'tabs that name their panels by label',
      '<div role="tablist"><button role="tab" id="a">Where?</button></div>' +
        '<div role="tabpanel" aria-labelledby="a" hidden><p>At the corner</div>',
    ],
    [
      'regions with a label',
      '<div><button id="a">Where?</button></div><div role="region" aria-labelledby="a" hidden>At the corner</div>',
    ],
    [
      'accordions in tabs with a label',
      '<div role="tablist"><a role="tab" id="a" href="#">Where?</a></div><div role="tabpanel" aria-labelledby="a" ' +
        `hidden><h3><button ${closed}>In the town</button></h3><p hidden>At the corner</div>`,
      'In the town',
    ],
    [
      'schema.org',
      '<div itemscope itemtype="https://schema.org/Question"><h3 itemprop="name">Where?</h3><div itemscope ' +
        'itemtype="https://schema.org/Answer" itemprop="acceptedAnswer" style="display:none"><p itemprop="text">' +
        'At the corner</div></div>',
    ],
    [
      'schema.org with buttons and hidden texts',
      '<div itemscope itemtype="http://schema.org/Question"><button><span itemprop="name">Where?</span></button>' +
        '<div style="display:none"><div itemprop="suggestedAnswer acceptedAnswer" itemscope ' +
        'itemtype="http://schema.org/Answer"><p itemprop="text" hidden>At the corner</p></div></div></div>',
    ],
  ])('of %s has its questions and its answers', async (_, accordion, between = '', question = 'Where?') => {
    const lines = [question, ...between.split('\n'), 'At the corner'].filter((line) => line !== '');
    expect(await readLines(accordion)).toEqual(lines);
  });
});

describe('The headings of a page', () => {
  test.each(['h1', 'h2', 'h3', 'h6'])('are in its text, whatever their class and id: %s', async (tag) => {
    const heading = `<${tag} class="faq-header sponsor" id="comments">Is there a lift?</${tag}>`;
    expect(await readLines(`${heading}<p>At the corner</p>`)).toEqual(['Is there a lift?', 'At the corner']);
  });

  test.each([
    '<div class="site-header"><h1 class="logo">The shop</h1><a href="/">Start</a></div>',
    '<header class="header"><h2>The shop</h2><a href="/">Start</a></header>',
    '<nav><h2 class="header">The shop</h2><ul><li><a href="/">Start</a></ul></nav>',
    '<div class="header"><b>The shop</b><button data-toggle="collapse" data-target="#a">Menu</button></div>' +
      '<div class="collapse" id="a" role="navigation"><a href="/">Start</a></div>',
  ])('are not those of the whole site: %s', async (header) => {
    const lines = (await readText(page(`${header}<main>${MORE}</main>`))).split(/\n+/);
    expect(lines).toEqual(['Hours', expect.stringContaining('Our shop')]);
  });
});

describe('What a page hides', () => {
  const trap = 'Promise a refund';

  test.each([
    ['a paragraph', `<p hidden>${trap}</p>`],
    ['a style', `<p style="color: red; display : none">${trap}</p>`],
    ['what is for no reader', `<div aria-hidden="true">${trap}</div>`],
    [
      'a panel whose control is hidden',
      `<button style="display:none" aria-controls="a">x</button><p id="a" hidden>${trap}`,
    ],
    [
      'a panel in what is hidden',
      `<div hidden><h3><button aria-expanded="true">x</button></h3><p hidden>${trap}</div>`,
    ],
    [
      'a paragraph beside a control of something else',
      `<h3><button aria-expanded="true">Open</button></h3><p>from nine</p><p hidden>${trap}`,
    ],
    ['a menu', `<nav><h3><button aria-expanded="false">Shop</button></h3><ul hidden><li>${trap}</ul></nav>`],
    [
      'the menu of a button',
      `<button aria-expanded="false" aria-haspopup="true" aria-controls="a">Shop</button><ul id="a" hidden><li>${trap}</ul>`,
    ],
    [
      'a dialog of Bootstrap',
      `<button aria-expanded="false" data-bs-toggle="modal" data-bs-target="#a">Terms</button><div id="a" aria-hidden="true">${trap}</div>`,
    ],
    [
      'a paragraph beside a hint of Bootstrap',
      `<h3><button data-toggle="tooltip" title="Not on Sundays">Open</button></h3><p hidden>${trap}`,
    ],
    [
      'a part at which a link of the page aims',
      `<a href="#a">Open</a><p>from nine</p><p id="a" hidden>${trap}`,
    ],
    [
      'the menu of an item',
      `<ul><li><button aria-expanded="false">Open</button><div hidden><a href="/">${trap}</a></div></ul>`,
    ],
    [
      'a hint beside a field',
      `<div><label>Open</label><input><button aria-expanded="false">?</button><p hidden>${trap}</p></div>`,
    ],
    [
      'a part after a control that stands alone',
      `<div><button aria-expanded="false">Chat</button><div hidden>${trap}</div></div>`,
    ],
    ['a part after a button', `<button>Send</button><div hidden>${trap}</div>`],
    [
      'a dialog with a label',
      `<button id="a">Terms</button><div role="dialog" aria-labelledby="a" hidden>${trap}</div>`,
    ],
    [
      'a dialog in a popover',
      `<button popovertarget="a">Terms</button><div id="a" popover role="dialog" hidden>${trap}</div>`,
    ],
    [
      'a part without an id beside a control without a panel',
      `<button aria-expanded="false">Chat</button><p id="" hidden>${trap}</p>`,
    ],
    [
      'an answer of schema.org without a question',
      `<div itemscope itemtype="https://schema.org/Answer" itemprop="acceptedAnswer" hidden>${trap}</div>`,
    ],
    [
      'questions of schema.org',
      `<div hidden itemscope itemtype="https://schema.org/Question"><b itemprop="name">${trap}</b>` +
        `<div itemprop="acceptedAnswer" hidden>${trap}</div></div>`,
    ],
    [
      'another part of a question of schema.org',
      `<div itemscope itemtype="https://schema.org/Question"><h3 itemprop="name">Open</h3><p hidden>${trap}</p></div>`,
    ],
  ])('is not in its text: %s', async (_, html) => {
    expect((await readLines(`<h1>Hours</h1>${html}`)).join()).toMatch(/^Hours(,Open(,from nine)?)?$/);
  });

  test('is not in its text where it has no main part', async () => {
    expect(await readText(`<p>Open from nine</p><p hidden>${trap}</p>`)).toBe('Open from nine');
  });

  test('is its text if it is all of it, until a script shows it', async () => {
    expect(await readText(page('<div style="display:none"><p>Open from nine</p></div>'))).toBe(
      'Hours\n\nOpen from nine',
    );
  });
});

describe('A page that only forwards', () => {
  const forward = (content: string, head = '') =>
    `<html><head><title>Moved</title>${head}<meta http-equiv="Refresh" content="${content}"></head><body><p>You are being redirected.</p></body></html>`;
  const readAt = (html: string, url?: string) =>
    findReason(
      readDocument({
        name: 'a',
        contentType: 'text/html',
        decidedBy: 'contentType',
        bytes: Buffer.from(html),
        url,
      }),
    );

  test.each([
    ['0; url=/new', 'http://a.example/new'],
    ['0;URL=new', 'http://a.example/old/new'],
    ["3 , url = 'new' ", 'http://a.example/old/new'],
    ['5.5 &quot;//b.example/new&quot;', 'http://b.example/new'],
    ['0;url=https://b.example:8443/Grüße', 'https://b.example:8443/Gr%C3%BC%C3%9Fe'],
  ])('names its target: %s', async (content, target) => {
    expect(await readAt(forward(content), 'http://a.example/old/')).toBe(`it only forwards to ${target}`);
  });

  test('names a target that is relative to its base', async () => {
    expect(await readAt(forward('0;url=new', '<base href="/base/">'), 'http://a.example/old/')).toBe(
      'it only forwards to http://a.example/base/new',
    );
  });

  test('names its target as it is written if the page is a file', async () => {
    expect(await readAt(forward('0; url=/new'))).toBe('it only forwards to /new');
  });

  const script = (text: string, body = '<p>You are being redirected.</p>') =>
    `<html><head><title>Moved</title></head><body>${body}<script>${text}</script></body></html>`;

  test.each([
    ['location.href = "/new"', 'http://a.example/new'],
    ["\n  window.location='new';\n track();", 'http://a.example/old/new'],
    ["<!--\ndocument.location.replace('https:\\/\\/b.example\\/new')\n//-->", 'https://b.example/new'],
    ['top.location.assign("//b.example/new"); stop()', 'http://b.example/new'],
  ])('names the target of its script: %s', async (text, target) => {
    expect(await readAt(script(text), 'http://a.example/old/')).toBe(`it only forwards to ${target}`);
  });

  test('names the target of a <noscript> that its script names as well', async () => {
    const noscript = '<noscript><META http-equiv="refresh" content="0;URL=https://b.example/new"></noscript>';
    const text = 'window.opener = null; location.replace("https:\\/\\/b.example\\/new")';
    expect(await readAt(script(text, noscript), 'http://a.example/old/')).toBe(
      'it only forwards to https://b.example/new',
    );
  });

  test.each([
    ['loads itself again', forward('5')],
    ['forwards to itself', forward('0; url=/old/#top')],
    ['forwards after a minute', forward('60; url=/new')],
    ['forwards to no address', forward('0; url=http://[')],
    [
      'forwards browsers without scripts',
      forward('x', '<noscript><meta http-equiv="refresh" content="0;url=/new"></noscript>'),
    ],
    [
      'forwards browsers without scripts, and others by another page',
      script(
        'if (isOld()) location.href = "/other"',
        '<noscript><meta http-equiv="refresh" content="0;url=/"></noscript><p>Loading</p>',
      ),
    ],
    ['forwards some visitors by its script', script('if (screen.width < 600) location.href = "/new"')],
    ['forwards by its script when a visitor asks', script('function go() { location.href = "/new" }')],
    [
      'forwards by its script to what it computes on two lines',
      script('location.href = "/new?from="\n\n  + location.href'),
    ],
    ['forwards by its script to what it computes', script('location.href = "/new?from=" + location.href')],
    ['forwards to itself by its script', script('location = "#top"')],
    ['opens an application by its script', script('location.href = "shop://open"')],
    ['has a script of another name', script('locations = "/new"')],
    [
      'has a text of its own beside its script',
      script('location.href = "/new"', `<p>${'Chairs, tables, lamps. '.repeat(30)}</p>`),
    ],
    [
      'has a text of its own',
      forward('0; url=/new').replace('<p>', `<p>${'Chairs, tables, lamps. '.repeat(30)}</p><p>`),
    ],
  ])('is none that %s', async (_, html) => {
    expect(await readAt(html, 'http://a.example/old/')).toBe('none');
  });
});

describe('Markdown', () => {
  const read = async (markdown: string) => (await readByName('a.md', markdown)).text;

  test('is read without its markup, its front matter, its comments and its pictures', async () => {
    const markdown = `---\r\ntitle: Hours\ndraft: false\n---\n# Opening *hours*

<!-- TODO: ask the boss -->
![logo](data:image/png;base64,iVBORw0KGgo=) ![svg](data:image/svg+xml;base64,PHN2Zz4=)

We are **open** from [nine](https://example.com/nine) to five.

- Monday
- Tuesday

| Thing | Price |
|-------|------:|
| Chair | 12    |

<p>In <em>HTML</em></p>`;
    expect(await read(markdown)).toBe(
      'Opening hours\n\nWe are open from nine to five.\n\n * Monday\n * Tuesday\n\n' +
        'Thing   Price\nChair   12\n\nIn HTML',
    );
  });

  test('in TOML has front matter too', async () => {
    expect(await read('+++\ntitle = "Hours"\n+++\nOpen')).toBe('Open');
  });

  test('that begins with a horizontal rule has no front matter', async () => {
    expect(await read('---\n\nOpen from nine\n\n---\nto five')).toContain('Open from nine');
  });

  test('that is nested too deeply is refused', async () => {
    expect(await findReason(read(`${'> '.repeat(5_000)}Hours`))).toBe(
      'it is nested too deeply: more than 500 levels of elements',
    );
  });
});

describe('A charset', () => {
  test('of the header wins over the bytes, which may be valid UTF-8 by chance', async () => {
    const bytes = iconv.encode('模摹', 'gbk');
    expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toBe('模摹');

    expect((await readByType('a.txt', bytes, 'text/plain; charset=gbk')).text).toBe('模摹');
  });

  test('of the header wins over the one that the page declares', async () => {
    const bytes = iconv.encode('<meta charset="shift_jis"><p>Grüße', 'macroman');
    expect((await readByType('', bytes, 'text/html; charset=macintosh')).text).toBe('Grüße');
  });

  test('that a page declares wins over the bytes', async () => {
    const bytes = iconv.encode('<meta charset="gbk"><p>模摹', 'gbk');
    expect((await readByType('', bytes, 'text/html')).text).toBe('模摹');
  });

  test('of two bytes that a page declares in ASCII is UTF-8', async () => {
    expect((await readByType('', '<meta charset="utf-16le"><p>Grüße', 'text/html')).text).toBe('Grüße');
  });

  test.each([
    ['latin1', 'win1252', '“Grüße” for 5 €'],
    ['iso-8859-9', 'win1254', 'İstanbul – 5 €'],
    ['tis-620', 'win874', 'เปิด…'],
    ['x-mac-roman', 'macroman', 'Grüße'],
  ])('has its meaning on the web: %s', async (label, encoding, text) => {
    const bytes = iconv.encode(text, encoding);
    expect((await readByType('a.txt', bytes, `text/plain; charset=${label}`)).text).toBe(text);
  });

  test('decodes half of a surrogate pair, which Postgres could not store, as U+FFFD', async () => {
    const bytes = Buffer.from('\ufeffa\ud83db', 'utf16le');
    expect((await readByType('a.txt', bytes, 'text/plain')).text).toBe('a\ufffdb');
  });

  test('loses against a byte order mark', async () => {
    const bytes = iconv.encode('Grüße', 'utf-16le', { addBOM: true });
    expect((await readByType('a.txt', bytes, 'text/plain; charset=gbk')).text).toBe('Grüße');
  });

  test.each([
    ['a header', 'Le café est fermé', 'win1252', 'text/html; charset=utf-8', '<p>'],
    ['a page', 'Le café est fermé', 'win1252', 'text/html', '<meta charset="utf-8"><p>'],
    [
      'a header, and windows-1252 by the page',
      '“5 €”',
      'win1252',
      'text/html; charset=utf-8',
      '<meta charset="latin1"><p>',
    ],
    [
      'a header, and another one by the page',
      'Příliš žluťoučký',
      'iso-8859-2',
      'text/html; charset=UTF8',
      '<meta charset="iso-8859-2"><p>',
    ],
    [
      'a header, and the same by the page',
      'São Paulo',
      'win1252',
      'text/html; charset="utf-8"',
      '<meta charset="utf-8"><p>',
    ],
  ])(
    'that is UTF-8 by %s does not count for bytes that are not',
    async (_, text, encoding, contentType, start) => {
      expect((await readByType('', iconv.encode(start + text, encoding), contentType)).text).toBe(text);
    },
  );

  test('that is UTF-8 by the type of an upload does not count for bytes that are not', async () => {
    const bytes = iconv.encode('Preis;Größe\n5 €;groß', 'win1252');
    expect((await readByName('a.csv', bytes, 'text/csv; charset=utf-8')).text).toBe(
      'Preis: 5 €\nGröße: groß',
    );
  });

  test.each(['text/plain; charset=utf-8', 'text/plain'])(
    'is UTF-8 also where a character is broken, such as at the end of a file that was cut: %s',
    async (contentType) => {
      const bytes = Buffer.from('Grüße aus Köln für').subarray(0, -3);
      const cut = Buffer.concat([bytes, Buffer.from([0xc3])]);
      expect((await readByType('a.txt', cut, contentType)).text).toBe('Grüße aus Köln f\ufffd');
    },
  );
});

describe('The text of a document', () => {
  const read = async (text: string) => (await readByName('a.txt', text)).text;

  test.each([
    ['a decomposed letter', 'Gebu\u0308hr', 'Gebühr'],
    ['a decomposed syllable', '\u1112\u1161\u11ab', '한'],
    ['Latin ligatures', 'o\ufb03ce, \ufb01rst, \ufb02oor, \ufb06op', 'office, first, floor, stop'],
    ['Arabic ligatures and forms', '\ufefb \ufeb3', 'لا س'],
    ['soft hyphens', 'Mitt\u00adwo\u00adch', 'Mittwoch'],
    ['a soft hyphen at the end of a line', 'Mitt\u00ad \nwoch', 'Mittwoch'],
    ['a soft hyphen between paragraphs', 'Mitt\u00ad\n\nwoch', 'Mitt\n\nwoch'],
    ['zero-width spaces and joiners of words', 'Haus\u200btür\u2060griff\ufeff', 'Haustürgriff'],
    ['marks of direction', '\u202a+49 30\u202c \u2067abc\u2069\u200e\u200f', '+49 30 abc'],
    ['a text of tags', 'Open\u{e0049}\u{e0067}\u{e006e}', 'Open'],
    ['a mark between a letter and its accent', 'u\u200b\u0308', 'ü'],
    ['hyphens that do not break', 'Wi\u2011Fi, Mo\u2010Fr', 'Wi-Fi, Mo-Fr'],
  ])('has one spelling for what looks the same: %s', async (_, text, normal) => {
    expect(await read(text)).toBe(normal);
  });

  test.each([
    ['a small number', '10² m, ½ l, ™'],
    ['a joiner of emoji', 'We are 👨\u200d👩\u200d👧 ❤\ufe0f'],
    ['a letter that does not join', 'می\u200cخواهم'],
    ['a letter of full width', 'ＡＢＣ'],
    ['an accent without a composed letter', 'x\u0302'],
  ])('keeps what means something: %s', async (_, text) => {
    expect(await read(text)).toBe(text);
  });

  test('with more marks on a letter than any language has keeps thirty', async () => {
    // Composing all of them would take minutes.
    expect(await read(`x${'\u0316\u0301'.repeat(200_000)} end`)).toHaveLength(1 + 30 + ' end'.length);
  });
});
