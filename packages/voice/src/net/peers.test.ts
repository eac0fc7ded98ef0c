import { readAddress } from './peers';

test.each([
  ['http://10.0.0.5:3010', '10.0.0.5', 3010],
  ['http://[fd00::5]:3010', 'fd00::5', 3010],
  ['http://voice-0.voice', 'voice-0.voice', 80],
])('the runtime at %s is reached at the host %s and the port %d', (url, host, port) => {
  expect(readAddress(url)).toEqual({ host, port });
});
