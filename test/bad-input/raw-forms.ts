import type { Case } from './case';
import { BOUNDARY, multipartBody, type Part, partsOf } from './multipart-body';
import {
  FORM_TYPE,
  FORM_TYPE_WITH_BOUNDARY as FORM,
  goodBody,
  goodHead,
  schemaOf,
  takesBody,
  type Target,
} from './target';

interface RawForm {
  about: string;
  body: string | Buffer;
  contentType?: string;
  /** Default: it is wrong. */
  isOdd?: boolean;
}

/** What is no form, or hardly one. */
export function rawFormCases(target: Target): Case[] {
  const head = goodHead(target);
  const caseOf = ({ about, body, contentType = FORM, isOdd = false }: RawForm, isTaken: boolean): Case => ({
    about: `a form ${about}`,
    request: { ...head, headers: { ...head.headers, 'content-type': contentType }, body },
    isWrong: takesBody(target) && !(isTaken && isOdd),
  });
  if (!schemaOf(target, FORM_TYPE)) {
    // A route without a body would do what its path says.
    if (!takesBody(target)) return [];
    return [
      caseOf({ about: 'where none is taken', body: multipartBody([{ name: 'a', content: '1' }]) }, false),
    ];
  }
  return formsOf(target).map((form) => caseOf(form, true));
}

function formsOf(target: Target): RawForm[] {
  const { file: content, ...rest } = goodBody(target, FORM_TYPE);
  const fields = partsOf(rest);
  const file = { name: 'file', content: String(content), fileName: 'example.txt' };
  const good = multipartBody([...fields, file]);
  const withFile = (changes: Partial<Part>) => multipartBody([...fields, { ...file, ...changes }]);
  const named = (fileName: string): RawForm => ({
    about: `with the file name ${JSON.stringify(fileName).slice(0, 40)}`,
    body: withFile({ fileName }),
    isOdd: true,
  });
  const many = (count: number) =>
    multipartBody([
      ...fields,
      file,
      ...Array.from({ length: count }, (_, index) => ({ name: `a${index}`, content: '' })),
    ]);

  return [
    { about: 'without a boundary', body: good, contentType: FORM_TYPE },
    { about: 'with an empty boundary', body: good, contentType: `${FORM_TYPE}; boundary=` },
    { about: 'with another boundary', body: good, contentType: `${FORM_TYPE}; boundary=other` },
    {
      about: 'with a boundary of 4 KB',
      body: good,
      contentType: `${FORM_TYPE}; boundary=${'b'.repeat(4_096)}`,
    },
    { about: 'with two boundaries', body: good, contentType: `${FORM}; boundary=other`, isOdd: true },
    { about: 'cut off in its file', body: good.subarray(0, -30) },
    { about: 'cut off in the head of a part', body: `--${BOUNDARY}\r\nContent-Disposition: form-da` },
    { about: 'without its last boundary', body: multipartBody([...fields, file], { end: '' }) },
    { about: 'of its last boundary alone', body: `--${BOUNDARY}--\r\n` },
    { about: 'of nothing', body: '\r\n' },
    { about: 'of JSON', body: JSON.stringify(rest) },
    { about: 'with lines that end in LF', body: multipartBody([...fields, file], { lineBreak: '\n' }) },
    {
      about: 'with something before and after it',
      body: Buffer.concat([Buffer.from('a\r\n'), good, Buffer.from('b')]),
      isOdd: true,
    },
    { about: 'of 60 parts', body: many(60) },
    { about: 'of 10,000 parts', body: many(10_000) },
    {
      about: 'with a file within a part',
      body: withFile({
        headers: ['Content-Type: multipart/mixed; boundary=inner'],
        content: '--inner\r\nContent-Disposition: file; filename="a"\r\n\r\nx\r\n--inner--',
      }),
      isOdd: true,
    },
    { about: 'with two files', body: multipartBody([...fields, file, file]) },
    {
      about: 'with a second file elsewhere',
      body: multipartBody([...fields, file, { ...file, name: 'other' }]),
    },
    { about: 'with its file elsewhere', body: withFile({ name: 'other' }) },
    { about: 'with its file as a text', body: multipartBody([...fields, { name: 'file', content: 'x' }]) },
    { about: 'with an empty file', body: withFile({ content: '' }) },
    { about: 'with a part without a head', body: withFile({ disposition: '' }) },
    {
      about: 'with a part without a name',
      body: withFile({ disposition: 'Content-Disposition: form-data' }),
    },
    {
      about: 'with a part that is attached',
      body: withFile({ disposition: 'Content-Disposition: attachment; name="file"; filename="a.txt"' }),
    },
    { about: 'with a head that is none', body: withFile({ disposition: 'Content-Disposition' }) },
    { about: 'with a head of 20 KB', body: withFile({ headers: [`X-Long: ${'x'.repeat(20_000)}`] }) },
    {
      about: 'with 3,000 heads in a part',
      body: withFile({ headers: Array<string>(3_000).fill('X: 1') }),
      isOdd: true,
    },
    {
      about: 'with its file in base 64 by its own account',
      body: withFile({ headers: ['Content-Transfer-Encoding: base64'] }),
      isOdd: true,
    },
    { about: 'with a charset', body: good, contentType: `${FORM}; charset=utf-16`, isOdd: true },
    {
      about: 'with a type of its file that is none',
      body: withFile({ headers: ['Content-Type: \x01/__proto__; charset=nothing'] }),
      isOdd: true,
    },
    ...[
      '../../../../evil.txt',
      '..\\..\\evil.txt',
      '/etc/evil.txt',
      'evil.txt\0.csv',
      `${'x'.repeat(65_536)}.txt`,
      '',
      '.',
      '\u202etxt.exe',
      '%2e%2e%2fevil.txt',
      '" onload="x',
      '__proto__',
    ].map(named),
  ];
}
