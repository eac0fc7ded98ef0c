/** The texts about which version of an agent calls use. */
export const publishing = {
  title: 'Publishing',
  facts: {
    active: 'Calls use',
    publish: 'New versions',
  },
  statuses: { draft: 'draft', deploying: 'being rehearsed', active: 'active', failed: 'failed' },
  none: 'no version yet',
  since: 'since',
  modes: {
    automatic: 'are used at once',
    gated: 'are used once their rehearsals have passed',
  },
  asWorkspace: (mode: string) => `${mode} (as the workspace says)`,
  failed: (version: number) => `Calls do not use version ${version}:`,
  deploying: (version: number) =>
    `The rehearsals of version ${version} are under way. Calls use it once all have passed.`,
  waiting: (version: number) => `Version ${version} is about to be rehearsed.`,
  draft: (version: number) => `Version ${version} is a draft: calls use it after you publish it.`,
  toRun: 'See the run',
  talk: (version: number) => `Talk with version ${version}`,
  publish: 'Publish',
  publishTitle: (version: number) => `Publish version ${version}?`,
  publishText: (version: number) =>
    `Its enabled rehearsals are played. New calls use version ${version} once all have passed, and at once if none is enabled.`,
  forceText: (version: number) =>
    `New calls use version ${version} at once, whatever its rehearsals would say.`,
  force: 'Publish it without rehearsals',
  reason: 'Reason',
  reasonHelp: 'The audit keeps it.',
  rollBack: 'Roll back',
  rollBackTitle: (name: string) => `Roll back ${name}?`,
  rollBackText:
    'New calls get, at once and without rehearsals, a copy of the version that they used before this one. Calls that have started keep theirs.',
  change: 'Change publishing',
  changeTitle: 'When do calls use a new version?',
  choices: {
    automatic: 'At once',
    gated: 'Once its rehearsals have passed',
  },
  ofWorkspace: (choice: string) => `As the workspace says: ${choice}`,
  save: 'Save',
  saved: 'Saved.',
  workspaceText:
    'Concerns the agents that have no setting of their own. If new versions are used at once, the newest version of each of them is used from then on.',
};
