import iconv from 'iconv-lite';
import { randomBytes } from 'node:crypto';
import { DocumentReader } from '../../src/platform/documents/document-reader';
import { ReaderError } from '../../src/platform/documents/reader.error';
import { UnreadableDocumentError } from '../../src/platform/documents/unreadable-document.error';
import {
  createDocx,
  encryptedPdf,
  pdfBomb,
  createPdf,
  pdfWithoutText,
  slowPdf,
  createZip,
} from '../support/documents';
import { killReaders } from '../support/reader-processes';
import { until } from '../support/until';

const MEGABYTE = 1024 * 1024;

describe('A document', () => {
  const reader = new DocumentReader();
  afterAll(() => reader.onApplicationShutdown());

  const opening = (
    name: string,
    content: string | Buffer,
    contentType = '',
    decidedBy: 'name' | 'contentType' = 'name',
  ) => {
    const document = { name, bytes: Buffer.from(content as string), contentType, decidedBy };
    return () => Promise.resolve(document);
  };

  const read = (name: string, content: string | Buffer, contentType = '') =>
    reader.read(opening(name, content, contentType), { workspaceId: 'ours' });

  const readText = async (name: string, content: string | Buffer, contentType = '') =>
    (await read(name, content, contentType)).text;

  async function readReason(name: string, content: string | Buffer, contentType = ''): Promise<string> {
    try {
      await read(name, content, contentType);
    } catch (error) {
      if (error instanceof UnreadableDocumentError) return error.message;
      throw error;
    }
    return 'none';
  }

  describe('in PDF', () => {
    test('is read page by page', async () => {
      expect(await read('a.pdf', createPdf('Opening hours', 'Nine to five'))).toEqual({
        kind: 'pdf',
        mediaType: 'application/pdf',
        text: 'Opening hours\fNine to five\f',
      });
    });

    test('is detected by its content, whatever its name and media type say', async () => {
      expect((await read('a.txt', createPdf('Hours'), 'text/plain')).kind).toBe('pdf');
      expect((await read('a', Buffer.concat([Buffer.from('\n\n junk '), createPdf('Hours')]))).kind).toBe(
        'pdf',
      );
    });

    test.each([
      ['has images only', pdfWithoutText(), 'it has no text; perhaps its pages are images'],
      ['is encrypted', encryptedPdf(), 'it is encrypted'],
      ['is invalid', '%PDF-1.4\nnonsense', 'it is not a valid PDF'],
      ['is truncated', createPdf('Hours').subarray(0, 60), 'it is not a valid PDF'],
    ])('is refused when it %s', async (_, content, reason) => {
      expect(await readReason('a.pdf', content)).toBe(reason);
    });

    test('that decompresses to gigabytes takes bounded memory, and others can still be read', async () => {
      const before = process.memoryUsage.rss();
      // On a busy machine, the time limit can come first.
      expect(await readReason('a.pdf', pdfBomb(2_000))).toMatch(
        /^it (takes too much memory to read|is not a valid PDF|cannot be read within 30 seconds)/,
      );
      expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MEGABYTE);

      expect(await readText('a.pdf', createPdf('Still here'))).toBe('Still here\f');
    });
  });

  describe('in DOCX', () => {
    test('is read with its lists and tables', async () => {
      const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
      const table = `<w:tbl><w:tr>${cell('Day')}${cell('Hours')}</w:tr><w:tr>${cell('Monday')}${cell('9-5')}</w:tr></w:tbl>`;

      const { kind, text } = await read('a.docx', createDocx(['Opening hours', 'Grüße &amp; more', table]));

      expect(kind).toBe('docx');
      expect(text).toMatch(/^Opening hours\n\nGrüße & more\n\nDay +Hours\nMonday +9-5$/);
    });

    test.each([
      [
        'is another ZIP file',
        createZip([{ name: 'a.txt', content: 'Hours' }]),
        'it is a ZIP file but not DOCX',
      ],
      ['is a broken ZIP file', 'PK\x03\x04nonsense', 'it is a broken ZIP file'],
      [
        'lacks its document',
        createZip([{ name: '[Content_Types].xml', content: '<Types/>' }]),
        'it is not a valid DOCX',
      ],
      ['has no text', createDocx(['']), 'it has no text'],
      [
        'declares gigabytes',
        createDocx(['Hours'], [{ name: 'big', content: 'a', declaredSize: 4_000_000_000 }]),
        'it unpacks to more than 200 MiB',
      ],
      [
        'unpacks to more than it declares',
        createDocx(['Hours'], [{ name: 'big', content: Buffer.alloc(300 * MEGABYTE), declaredSize: 10 }]),
        'it is a broken ZIP file',
      ],
    ])('is refused when it %s', async (_, content, reason) => {
      expect(await readReason('a.docx', content)).toBe(reason);
    });

    test.each([
      [
        'tables within tables',
        '<w:tbl><w:tr><w:tc>'.repeat(50_000),
        'it is nested too deeply: more than 500 levels of elements',
      ],
      [
        'very many paragraphs',
        '<w:p/>'.repeat(600_000),
        'it has more than 500000 elements and pieces of text',
      ],
      ['comments within comments', '<!--'.repeat(1_000_000), 'its XML is not well-formed'],
      ['nothing but angle brackets', '<'.repeat(3_000_000), 'its XML is not well-formed'],
    ])('of a few kilobytes is refused within the time limit when it has %s', async (_, xml, reason) => {
      const document = createDocx([`<w:p/>${xml}`]);
      expect(document.length).toBeLessThan(20_000);
      expect(await readReason('a.docx', document)).toBe(reason);
    });

    test('whose XML expands exponentially is refused', async () => {
      const entities = Array.from(
        { length: 9 },
        (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`,
      ).join('');
      const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">${entities}]><x>&e9;</x>`;
      const document = createZip([
        { name: '[Content_Types].xml', content: '<Types/>' },
        { name: 'word/document.xml', content: bomb },
      ]);

      expect(await readReason('a.docx', document)).not.toBe('none');
    });
  });

  describe('in HTML', () => {
    const paragraph = 'We are open from nine to five on every day of the week but Sunday. ';
    const page = `<!doctype html><html><head><title>Hours</title><style>p { color: red }</style></head><body>
      <nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
      <article><h1>Opening hours</h1><p>${paragraph.repeat(8)}</p>
      <ul><li>Monday</li><li>Tuesday</li></ul><script>alert('no')</script></article>
      <footer>Imprint</footer></body></html>`;

    test('is read for its main text', async () => {
      const { kind, text } = await read('hours', page, 'text/html');

      expect(kind).toBe('html');
      expect(text).toMatch(/^Hours\n\n/);
      expect(text).toContain(paragraph.trim());
      expect(text).toContain(' * Monday\n * Tuesday');
      expect(text).not.toMatch(/Home|Shop|alert|color/);
    });

    test('is read whole where it has no main part', async () => {
      expect(await readText('a.html', '<p>Open from nine</p><p>Closed on Sunday</p>')).toBe(
        'Open from nine\n\nClosed on Sunday',
      );
    });

    test('is detected by its beginning where its format is not declared', async () => {
      expect((await read('', page)).kind).toBe('html');
      expect((await read('', page, 'application/octet-stream')).kind).toBe('html');
    });

    test.each([
      [
        'has no text',
        '<html><body><img src="a.png"><script>var a = 1;</script></body></html>',
        'it has no text; text that scripts create is not read',
      ],
      ['is empty', '', 'it is empty'],
    ])('is refused when it %s', async (_, content, reason) => {
      expect(await readReason('a.html', content, 'text/html')).toBe(reason);
    });

    test.each([
      ['bold text', '<p>' + '<b><i>'.repeat(30_000)],
      ['blocks', '<div>'.repeat(100_000)],
      ['templates', '<template>'.repeat(20_000)],
      ['drawings', '<svg>'.repeat(20_000)],
    ])('that is nested too deeply is refused within the time limit: %s', async (_, content) => {
      expect(await readReason('a.html', content + 'Hours')).toBe(
        'it is nested too deeply: more than 500 levels of elements',
      );
    });

    test('is read within a few hundred levels of elements, which a browser shows', async () => {
      expect(await readText('a.html', '<div>'.repeat(450) + 'Open from nine')).toBe('Open from nine');
    });

    test.each([
      ['paragraphs', '<body>', '<p>Monday</p>', 100_000],
      [
        'paragraphs within many elements',
        '<body>',
        `${'<i>'.repeat(250)}Monday${'</i>'.repeat(250)}<p>`,
        200,
      ],
      ['cells in one row of a table', '<table><tr>', '<td>Monday', 100_000],
    ])('with very many %s is read whole within the time limit', async (_, begin, part, count) => {
      const text = await readText('a.html', begin + part.repeat(count));

      expect(text.match(/Monday/g)).toHaveLength(count);
    });

    test('with cells that span more columns than a table can have is read', async () => {
      const cell = '<td colspan=1000000000>Monday</td>';
      expect(await readText('a.html', `<table><tr>${cell}${cell}</tr></table>`)).toBe('Monday   Monday');
    });

    test('with more parts than any page has is refused', async () => {
      expect(await readReason('a.html', `x${'<br>'.repeat(1_000_001)}`)).toBe(
        'it has more than 1000000 elements and pieces of text',
      );
    });
  });

  describe('in text', () => {
    test.each([
      ['a.txt', 'text/plain', 'txt'],
      ['a.md', '', 'md'],
      ['a.MARKDOWN', 'application/octet-stream', 'md'],
      ['notes', 'text/markdown; charset=utf-8', 'md'],
      ['notes', '', 'txt'],
      ['a.csv', 'text/plain', 'csv'],
      ['a.htm', 'text/plain', 'html'],
    ])('of name %s and type %s is %s', async (name, contentType, kind) => {
      expect((await read(name, 'Open: from nine', contentType)).kind).toBe(kind);
    });

    test('keeps its lines, without gaps, trailing spaces and other line breaks', async () => {
      expect(await readText('a.txt', '\ufeff  One  \r\ntwo\rthree\n\n\n\n\nfour \t\n\n')).toBe(
        'One\ntwo\nthree\n\nfour',
      );
    });

    test.each([
      ['spaces', ' '.repeat(300_000) + 'Hours', 'Hours'],
      ['tabs between words', `a${'\t'.repeat(300_000)}b`, `a${'\t'.repeat(300_000)}b`],
      ['empty lines', `a${'\n \r\n'.repeat(1_000_000)}  b`, 'a\n\n  b'],
      ['quotes within quotes', `${'> '.repeat(500_000)}Hours`, `${'> '.repeat(500_000)}Hours`],
      [
        'lists within lists',
        Array.from({ length: 2_000 }, (_, depth) => `${'  '.repeat(depth)}- Hours`).join('\n'),
        expect.stringMatching(/^- Hours\n {2}- Hours\n[^]*\n {3998}- Hours$/),
      ],
    ])('with nothing but %s is read within the time limit', async (_, content, text) => {
      expect(await readText('a.txt', content)).toEqual(text);
    });

    test('in CSV whose header would be repeated too often is refused', async () => {
      expect(await readReason('a.csv', `${'h'.repeat(1_000_000)}\n${'1\n'.repeat(100)}`)).toBe(
        'its text has more than 50000000 characters',
      );
    });

    test.each([
      ['quotes within quotes', '> '.repeat(500_000)],
      ['lists within lists', Array.from({ length: 2_000 }, (_, n) => `${'  '.repeat(n)}- Hours`).join('\n')],
    ])('in Markdown that is nested too deeply is refused within the time limit: %s', async (_, content) => {
      expect(await readReason('a.md', content)).toBe(
        'it is nested too deeply: more than 500 levels of elements',
      );
    });

    test('in CSV has the name of its column before each value', async () => {
      const csv = 'Name,Price , \n"Chair, red",12,x\n\nTable,,y\n"with ""quotes""",3';
      expect(await readText('a.csv', csv)).toBe(
        'Name: Chair, red\nPrice: 12\nx\n\nName: Table\ny\n\nName: with "quotes"\nPrice: 3',
      );
      expect(await readText('a.csv', 'Name;Price\nChair;12')).toBe('Name: Chair\nPrice: 12');
      expect(await readText('a.csv', 'Only a header')).toBe('Only a header');
    });

    test.each([
      ['UTF-8', Buffer.from('Grüße'), ''],
      ['UTF-8 with a mark', Buffer.from('\ufeffGrüße'), ''],
      ['UTF-16 with a mark', iconv.encode('Grüße', 'utf-16le', { addBOM: true }), ''],
      ['big-endian UTF-16 with a mark', iconv.encode('Grüße', 'utf-16be', { addBOM: true }), ''],
      [
        'a charset that its media type names',
        iconv.encode('Grüße', 'macroman'),
        'text/plain; charset="macintosh"',
      ],
      ['Latin-1', iconv.encode('Grüße', 'latin1'), 'text/plain; charset=ISO-8859-1'],
      ['Windows-1252 where it has no mark and is not UTF-8', iconv.encode('Grüße', 'win1252'), ''],
      ['an unknown charset', iconv.encode('Grüße', 'win1252'), 'text/plain; charset=klingon'],
    ])('is decoded from %s', async (_, bytes, contentType) => {
      expect(await readText('a.txt', bytes, contentType)).toBe('Grüße');
    });

    test('is decoded from the charset that a page declares', async () => {
      const page = '<html><head><meta charset="shift_jis"></head><body><p>営業時間</p></body></html>';
      expect(await readText('a.html', iconv.encode(page, 'shift_jis'))).toBe('営業時間');
    });

    test.each([
      ['is empty', 'a.txt', '', 'it is empty'],
      ['is blank', 'a.txt', ' \n\t\n ', 'it has no text'],
      ['has nothing but signs', 'a.csv', '---,,,***', 'it has no text'],
      ['is of another type', 'a.exe', 'MZ', expect.stringContaining('its type .exe is not known')],
      ['is of another type', 'a.json', '{}', expect.stringContaining('its type .json is not known')],
      [
        'is of another type',
        '',
        'x',
        expect.stringContaining('its type image/png is not known'),
        'image/png',
      ],
      ['is named like a PDF only', 'a.pdf', 'Hours', 'its content is not PDF'],
      ['is named like a DOCX only', 'a.docx', 'Hours', 'its content is not DOCX'],
      [
        'is an image',
        'a.txt',
        '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
        expect.stringContaining('it is neither text nor'),
      ],
      ['is random bytes', 'a.txt', randomBytes(4_096), expect.stringContaining('it is neither text nor')],
      ['has a NUL', 'a.txt', 'a\0b', expect.stringContaining('it is neither text nor')],
    ])('is refused when it %s', async (_, name, content, reason, contentType = '') => {
      expect(await readReason(name, content, contentType)).toEqual(reason);
    });
  });

  test('does not block the event loop while it is read', async () => {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const book = Array.from({ length: 20_000 }, (_, n) => `<p>Paragraph ${n} of a very long page.</p>`).join(
      '',
    );

    const started = performance.now();
    await read('book.html', `<html><body><article>${book}</article></body></html>`);
    clearInterval(timer);

    expect(longest).toBeLessThan((performance.now() - started) / 2);
  });

  test('that takes too long is refused, and others can still be read', async () => {
    const impatient = new DocumentReader({ timeoutMs: 3_000 });
    const requester = { workspaceId: 'ours' };

    await expect(impatient.read(opening('a.pdf', slowPdf()), requester)).rejects.toEqual(
      new UnreadableDocumentError('it cannot be read within 3 seconds'),
    );

    expect(await impatient.read(opening('a.txt', 'Still here'), requester)).toMatchObject({
      text: 'Still here',
    });
    impatient.onApplicationShutdown();
  });

  test('whose text fills the heap is refused', async () => {
    const small = new DocumentReader({ heapMegabytes: 64 });
    const csv = `x\n${'1\n'.repeat(1_000_000)}`;

    await expect(small.read(opening('a.csv', csv), { workspaceId: 'ours' })).rejects.toEqual(
      new UnreadableDocumentError('it takes too much memory to read'),
    );

    small.onApplicationShutdown();
  });

  test('is not the cause when its reader process is killed', async () => {
    const reading = read('a.pdf', slowPdf());
    await until(() => killReaders());

    await expect(reading).rejects.toEqual(new ReaderError('the process that read it ended with SIGKILL'));

    expect(await readText('a.txt', 'Still here')).toBe('Still here');
  });

  test('can be one of many that are read concurrently', async () => {
    const texts = await Promise.all(Array.from({ length: 20 }, (_, n) => readText(`${n}.txt`, `Text ${n}`)));

    expect(texts).toEqual(Array.from({ length: 20 }, (_, n) => `Text ${n}`));
  });
});
