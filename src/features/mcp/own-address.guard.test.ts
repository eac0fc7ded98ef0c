import { isOwnHost } from './own-address.guard';

describe('The header Host', () => {
  test.each([
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
    ['http://127.0.0.1:3000', 'LocalHost:8080'],
    ['http://127.0.0.1:3000', '[::1]:3000'],
    ['http://127.0.0.1:3000', 'localhost'],
    ['https://parley.example', 'parley.example'],
    ['https://parley.example', 'Parley.Example:443'],
    ['https://parley.example:8443', 'parley.example:8443'],
    ['https://parley.example:8443', 'parley.example'],
    ['http://[2001:db8::7]:3000', '[2001:DB8::7]:3000'],
  ])('of a server at %s may be %s', (publicUrl, host) => {
    expect(isOwnHost(host, new URL(publicUrl))).toBe(true);
  });

  test.each([
    '',
    ':3000',
    '127.0.0.1:3000.evil.example',
    'localhost:x@evil.example',
    'localhost:3000@evil.example',
    'parley.example:443@evil.example',
    'user@localhost:3000',
    'localhost.:3000',
    'parley.example.',
    'localhost:',
    'localhost:123456',
    '127.1:3000',
    '[::1].evil.example',
    '[::1]evil.example:3000',
    '[::1]:3000.evil.example',
    '::1',
    'localhost:3000/x',
    'localhost/:3000',
    'localhost:3000, evil.example',
    'parley.example:8443',
    'evil.example',
  ])('of a server at https://parley.example may not be "%s"', (host) => {
    expect(isOwnHost(host, new URL('https://parley.example'))).toBe(false);
  });
});
