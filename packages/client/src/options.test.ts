import { credentialHeaders } from './options';

describe('The header of a credential', () => {
  const callToken = `parley_call_01890a5d-ac96-774b-bcce-b302099a8057_${'a-_B'.repeat(10)}abc`;

  test.each([['parley_a-_B'], ['parley_call_a-_B'], [callToken.slice(0, -1)]])(
    'is X-API-Key for the API key %s',
    (key) => {
      expect(credentialHeaders(key)).toEqual({ 'X-API-Key': key });
    },
  );

  test.each([['eyJh.eyJz.a-_B'], [callToken]])('is Authorization for the token %s', (token) => {
    expect(credentialHeaders(token)).toEqual({ Authorization: `Bearer ${token}` });
  });
});
