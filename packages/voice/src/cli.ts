#!/usr/bin/env node
import { describeError } from './errors';
import { VoiceProcess } from './runtime/voice-process';

// The carrier on this machine.
const line = process.argv.includes('--line') ? { VOICE_CARRIER: 'line' } : {};

VoiceProcess.start({ ...process.env, ...line }, { handleSignals: true })
  .then((voice) => voice.run())
  .catch((error: unknown) => {
    console.error(describeError(error));
    process.exitCode = 1;
  });
