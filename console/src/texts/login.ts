export const login = {
  title: 'Sign in',
  intro: 'Sign in with an API key or a token of your workspace. The browser stores neither.',
  credential: 'API key or token',
  submit: 'Sign in',
  link: 'No key and no link? Ask an admin of your workspace for an invitation.',
  linkOfOperator: 'For the operator of the server',
  linkCommand: 'Print a link that signs somebody in once:',
  question: (workspace: string) => `Sign in to ${workspace}?`,
  asWhom: (name: string) => `You will be signed in as “${name}”.`,
  instead: (current: string, other: string) =>
    `You are signed in to ${current}. Signing in to ${other} ends that session in this browser.`,
  switch: (workspace: string) => `Sign in to ${workspace} instead`,
  stay: (workspace: string) => `Stay in ${workspace}`,
  cancel: 'Don’t sign in',
  linkFailed:
    'The link has already been used, has expired, or was replaced by a newer one. Ask for a new one.',
  role: (role: string) => `Your role there: ${role}.`,
  provider: (name: string) => `Sign in with ${name}`,
  otherWays: 'With an API key or a token',
  choose: 'Choose a workspace',
  chooseText: 'You can sign in to several workspaces.',
  problems: {
    cancelled: 'You did not sign in at the identity provider.',
    expired: 'This sign-in took too long, or another one was begun in this browser. Try again.',
    refused:
      'The identity provider refused the sign-in. Ask the operator: the log of the server has the reason.',
    unavailable: 'The identity provider cannot be reached. Try again later, or sign in with a link.',
    failed:
      'The identity provider gave an answer that cannot be used. Ask the operator: the log of the server has the reason.',
    not_allowed: 'Your account at the identity provider may not sign in here. Ask an admin of the workspace.',
    not_invited: 'Your account has no invitation to a workspace. Ask an admin to invite your e-mail address.',
    full: 'The workspace has as many people as it can have. Ask an admin.',
    busy: 'Too many people are signing in. Try again in a moment.',
  },
  ended: 'Your session has ended. Sign in again to continue.',
  notSignedIn: 'You are not signed in yet. Try again.',
};
