import { speakable } from './speakable';

test.each([
  [
    '**Hello** 😀 see [our page](https://a.example/x) or https://www.b.example/long?x=1',
    'Hello see our page or b.example',
  ],
  ['***Very*** *much* __so__ _indeed_', 'Very much so indeed'],
  ['**Haupt**bahnhof, **5**th, "*word*" and (*word*)', 'Hauptbahnhof, 5th, "word" and (word)'],
  ['**5** **6**, it costs **$5**.', '5 6, it costs $5.'],
  ['这是**重点**内容, **강조**는', '这是重点内容, 강조는'],
  ['**The end is in', 'The end is in'],
  ['the next sentence.**', 'the next sentence.'],
  ['~~old~~ new, ~~old~~new', 'new, new'],
  ['Fee: ~~$50~~ $30 or ~~$50~~$30', 'Fee: $30 or $30'],
  ['open ~~9–5~~ 10–4, ~~3~5 days~~ 2 days', 'open 10–4, 2 days'],
  ['It is ~~very *old*~~, **~~not~~ new** ~~x~~.', 'It is, new.'],
  ['<del>$50</del> $30, <s>old</s> <strike class="x">older</strike> new', '$30, new'],
  ['~~The end is in', 'The end is in'],
  ['the next sentence.~~ Then', 'the next sentence. Then'],
  ['Haupt**bahn**hof, Haupt**bahnhof**, **Haupt**bahn**hof**', 'Hauptbahnhof, Hauptbahnhof, Hauptbahnhof'],
  ['**A**-**B**, **Price**$5, **word**(s)', 'A-B, Price$5, word(s)'],
  ['10<sup>6</sup> people, 2<sup>10</sup>, 10<sup class="x">-3</sup>', '10^6 people, 2^10, 10^-3'],
  ['x<sup>2</sup>, 20 m<sup>2</sup>, (a+b)<sup>2</sup>, 2<sup>n</sup>', 'x^2, 20 m^2, (a+b)^2, 2^n'],
  ['3<sup>1</sup>/<sub>2</sub> cups, <sup>3</sup>⁄<sub>4</sub> cup', '3 1/2 cups, 3/4 cup'],
  ['log<sub>2</sub>8, H<sub>2</sub>O, the 5<sup>th</sup>, 1<sup>er</sup>', 'log2 8, H2O, the 5th, 1er'],
  ['_john_doe@x.com_, __first_last@x.com__', 'john_doe@x.com, first_last@x.com'],
  ['Run `npm install` now', 'Run npm install now'],
  ['```js\nrun();\n```', 'run();'],
  ['# Heading', 'Heading'],
  ['## About C# ##', 'About C#'],
  ['Title\n=====\nText', 'Title Text'],
  ['- one\n* two\n+ three\n• four', 'one two three four'],
  ['- [ ] open\n- [x] done', 'open done'],
  ['- **Name:** text', 'Name: text'],
  ['1. First\n2. Second', '1. First 2. Second'],
  ['> quoted\n> > twice', 'quoted twice'],
  ['one\n---\ntwo\n***', 'one two'],
  ['| Name | Price |\n|------|:-----:|\n| Tea  | 5     |', 'Name, Price Tea, 5'],
  ['![logo](x.png) and [![alt](a.png)](https://b.example)', 'logo and alt'],
  ['[a page](https://a.example/x_(y)) and [](z)', 'a page and'],
  ['<https://a.example/x> and <first_last@b.example>', 'a.example and first_last@b.example'],
  ['<b>bold</b><br>next <a href="x">link</a>', 'bold next link'],
  ['5\\*6, \\_x\\_, 1\\. and \\# 2', '5*6, _x_, 1. and # 2'],
  ['👩‍👩‍👧 ❤️ 🇩🇪 👍🏽 5️⃣', '5'],
  ['می‌خواهم', 'می‌خواهم'],
])('marks of Markdown, addresses and pictures in %j are not spoken', (text, spoken) => {
  expect(speakable(text)).toBe(spoken);
});

test.each([
  'Delivery takes 3~5 days.',
  'Open 9~11, 9 ~ 11, 9-11 or 9–11.',
  '¥100~¥200, in ~5 minutes, A~B',
  'The room is 4*6 meters.',
  '4 * 6 = 24, 4* 6 or 4 *6',
  '2*3*4 and 2 ** 8 or 2**8',
  'm*c**2 and x**2 + y**2',
  'n**-1, (a+b)**2, a**b, 2**n, a**(b+c), x**y and z**w, a**b**c',
  '3~~5 days, 3~~5 or 6~~8, ¥100~~¥200',
  '4*/5* hotels, 4*–5* hotels',
  'john_doe_@x.com, _admin@x.com, __init__@x.com or a_@b_c.example',
  'f(x)*g(x), (a+b)*(c+d), 2*(3+4), 3*$5, 50%*2',
  'a*b*c and 5*x + 3*y',
  '5 < 10',
  '10 > 5, 3 <= 4, 4 >= 3, x<y',
  '> 5 pieces are more.',
  'if a <b and c> d, then -> or <-',
  'I <3 it',
  'Press *6 or *67, then #. Or (*67), or *21*49123#.',
  'press * or #',
  'from $10* a night in a 4* or 5* hotel',
  'C# and F#, number #1 in room #5',
  'user_name, x_1, MY_CONST__A, 100_000',
  'first_last@example.com, or a.b+c@d.example',
  'www.my_site.example and *.example.com',
  'yes | no, a||b, 5% & 6 + 7 - 8 / 9',
  '-5 degrees, +5, x^2, {a: 1}, [1], 5:30',
  'Settings > Sound, ~/home, it`s',
  'A ↔ B, ©, ™',
])('signs with a meaning in %j stay', (text) => {
  expect(speakable(text)).toBe(text);
});

test('a star is a mark if the emphasis has two, beside a digit too', () => {
  expect(speakable('Press *1* for sales, *only 5* rooms, *really* 5* hotels')).toBe(
    'Press 1 for sales, only 5 rooms, really 5* hotels',
  );
});

test('the punctuation behind an address stays', () => {
  expect(speakable('(see https://a.example/x_y_z), or **http://b.example/c**.')).toBe(
    '(see a.example), or b.example.',
  );
});

test('a text of nothing but marks is read, however long it is', () => {
  for (const mark of ['[', '[](', '<a ', '<sup>', '<sup ', '<del>', '<sup>1</sup>/', '_', 'a@'])
    expect(speakable(`x ${mark.repeat(400_000)} end`)).toMatch(/end$/);
  for (const mark of ['~~', '~~5', 'a~~', 'a**', '**a', 'ab**', 'a_@b.', '_a@b_', '5*/', '1<sup>1</sup>'])
    expect(speakable(`x ${mark.repeat(50_000)} end`)).toMatch(/end$/);
  for (const mark of ['![', '*', 'a*', '*5', '`', '> ', '# ', '- ', '|', ' ', '\\', 'https://a/('])
    expect(speakable(`x ${mark.repeat(10_000)} end`)).toMatch(/end$/);
});
