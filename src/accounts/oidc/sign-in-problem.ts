/** The reasons why a sign-in with the identity provider did not succeed. The login page has a sentence for each. */
export type SignInProblemName =
  | 'cancelled'
  | 'expired'
  | 'refused'
  | 'unavailable'
  | 'failed'
  | 'not_allowed'
  | 'not_invited'
  | 'full'
  | 'busy';

export class SignInProblem extends Error {
  constructor(
    readonly problem: SignInProblemName,
    options?: ErrorOptions,
  ) {
    super(`A sign-in with the identity provider did not succeed: ${problem}`, options);
  }
}
