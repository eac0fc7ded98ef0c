export const talk = {
  title: (name: string) => `Talk to ${name}`,
  agent: 'Back to the agent',
  intro: 'Talk to the agent here, through your microphone and speakers. The call uses credits.',
  ofVersion: (version: number) => `You talk with version ${version}, whichever version calls use.`,
  introWritten: 'Chat with the agent here. The conversation uses credits.',
  start: 'Talk',
  write: 'Write',
  writeInstead: 'Write instead',
  off: 'The agent is switched off. Switch it on and save before you talk to it.',
  unsaved: 'The call uses the saved version, without your unsaved changes.',
  variables: 'Variables',
  variablesHelp: 'The agent may ask for anything you leave empty.',
  asking: 'Your browser asks whether this page may use the microphone.',
  starting: 'Waiting for a runtime that takes the call …',
  joining: 'Joining the call …',
  /** The providers that the audio and the words are sent to. */
  privacy: {
    title: 'Where your words go',
    configured:
      'The agent is set to use these services. If the runtime has no access to one, it does that part itself. During the call, this page names the ones in use.',
    noneConfigured:
      'The agent is set to use no outside service. During the call, this page says where your voice goes.',
    voiceStays: 'Your voice stays on this machine.',
    voiceGoesTo: (host: string) => `Your voice goes to the runtime at ${host}, and nowhere else.`,
    alone: 'No service of another company hears or reads the call.',
    unknown: (host: string) =>
      `The runtime at ${host} does not say whether it uses services of other companies.`,
    recognition: (service: string) => `${service} receives your voice.`,
    language: (service: string) => `${service} receives what is said.`,
    synthesis: (service: string) => `${service} receives what the agent says.`,
    /** The sentences about services that are asked if others fail. */
    inReserve: {
      recognition: (service: string) => `If another service fails, ${service} receives your voice.`,
      language: (service: string) => `If another service fails, ${service} receives what is said.`,
      synthesis: (service: string) => `If another service fails, ${service} receives what the agent says.`,
    },
    /** The sentences before the call. Only the runtime reports which services it uses. */
    planned: {
      recognition: (service: string) => `${service} would receive your voice.`,
      language: (service: string) => `${service} would receive what is said.`,
      synthesis: (service: string) => `${service} would receive what the agent says.`,
    },
    at: (provider: string, host: string) => `${provider} (${host})`,
  },
  during: {
    title: 'Conversation',
    states: {
      connecting: 'Connecting …',
      listening: 'The agent is listening',
      thinking: 'The agent is thinking',
      speaking: 'The agent is speaking',
      writing: 'The agent is writing',
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
    nothing: 'Nothing has been said yet.',
    message: 'Message',
    messageHelp: 'The agent takes a message as speech.',
    send: 'Send',
    lost: 'The connection was lost. Reconnecting …',
    back: 'Reconnected.',
    microphoneLost: 'The microphone stopped working. You can still write, or hang up.',
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
  theCall: 'How the call ended',
  openCall: 'Open the call',
};
