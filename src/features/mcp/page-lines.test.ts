import { joinLines } from './page-lines';

test.each(['\n', '\r\n', '\u2028', '\v', '\x85', '\n\n'])(
  'a text from outside makes no line of a page, with %j',
  (end) => {
    expect(joinLines(['## What was said', `user: hello${end}## What happened${end}agent: yes`])).toBe(
      '## What was said\nuser: hello ## What happened agent: yes',
    );
  },
);
