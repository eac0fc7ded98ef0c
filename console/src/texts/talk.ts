/** The texts of Talk. Its page imports them itself, so that no other page has to load them. */
export const talk = {
  title: (name: string) => `Talk to ${name}`,
  agent: 'The agent',
  intro:
    'A web call: you speak with the agent here, by your microphone and your loudspeaker. It costs credits.',
  introWritten: 'A web call in writing: you and the agent write to each other here. It costs credits.',
  start: 'Talk',
  write: 'Write',
  writeInstead: 'Write instead',
  off: 'The agent is switched off. Switch it on and save before you talk to it.',
  unsaved: 'Your unsaved changes are not part of the call: it gets what is saved.',
  variables: 'Variables',
  variablesHelp: 'The agent may ask for a variable that is left empty.',
  asking: 'Your browser asks whether this page may use the microphone.',
  starting: 'Waiting for a runtime that takes the call …',
  joining: 'Joining the call …',
  /** The providers that the audio and the words are sent to. */
  privacy: {
    title: 'Who hears and reads it',
    configured:
      'The agent names these services. A runtime that has no access to one of them does its work itself; during the call, this page says which are used.',
    noneConfigured:
      'The agent names no service of another company. During the call, this page says where your voice goes.',
    voiceStays: 'Your voice stays on this machine.',
    voiceGoesTo: (host: string) => `Your voice goes to the runtime at ${host}, and nowhere else.`,
    alone: 'No service of another company hears or reads the call.',
    unknown: (host: string) =>
      `The runtime at ${host} does not say whether it uses services of other companies.`,
    recognition: (service: string) => `${service} hears your voice.`,
    language: (service: string) => `${service} reads what is said.`,
    synthesis: (service: string) => `${service} reads what the agent says.`,
    /** The sentences before the call. Only the runtime reports which services it uses. */
    planned: {
      recognition: (service: string) => `${service} would hear your voice.`,
      language: (service: string) => `${service} would read what is said.`,
      synthesis: (service: string) => `${service} would read what the agent says.`,
    },
    at: (provider: string, host: string) => `${provider} (${host})`,
  },
  during: {
    title: 'Conversation',
    states: {
      connecting: 'Connecting …',
      listening: 'The agent listens',
      thinking: 'The agent thinks',
      speaking: 'The agent speaks',
      writing: 'The agent writes',
      ready: 'Your turn',
    },
    you: 'You',
    agent: 'Agent',
    mute: 'Mute',
    unmute: 'Unmute',
    muted: 'Your microphone is muted: the agent hears silence.',
    hangUp: 'Hang up',
    hangingUp: 'Hanging up …',
    latency: (seconds: string) => `Last answer after ${seconds} s`,
    transcript: 'Transcript',
    nothing: 'Nothing was said yet.',
    message: 'Message',
    messageHelp: 'What you write counts as said.',
    send: 'Send',
    lost: 'The connection was cut. Trying to come back to the call …',
    back: 'The connection is back.',
    microphoneLost: 'The microphone is gone. You can still write, or hang up.',
  },
  problems: {
    insecure:
      'Browsers open the microphone only over https, or on localhost. Open this console at such an address, or write.',
    refused:
      'The microphone is blocked. Allow it for this page, in the address bar or the settings of your browser, then try again, or write.',
    absent: 'No microphone was found. Connect one, then try again, or write.',
    busy: 'The microphone can’t be opened. Perhaps another program uses it. Close that program and try again, or write.',
    failed: 'The sound can’t be opened in this browser. Try another one, or write.',
    noRuntime:
      'No runtime took the call, because none is connected. Start one: npm start includes one, and npm run voice starts one beside RabbitMQ.',
    allBusy:
      'No runtime took the call: all runtimes are busy, or they do not take web calls. Try again in a moment.',
    notTaken: 'No runtime took the call. Check that a runtime is connected and not busy, then try again.',
    unreachable: (host: string) =>
      `The runtime has taken the call, but this page can’t reach it at ${host}. If it is a process of its own, VOICE_PUBLIC_URL must be its address, and VOICE_ORIGINS of the server must contain it.`,
    rejected: 'The runtime has refused the connection: the call is over, or its address was used up.',
    runtimeGone: 'The connection to the runtime was lost, and did not come back. The server still answers.',
    network: 'The connection was lost, and did not come back. The server does not answer either.',
    elsewhere: 'The runtime of this agent has a page of its own for the conversation.',
    openElsewhere: 'Open the page of the runtime',
  },
  theCall: 'What became of the call',
  openCall: 'Open the call',
};
