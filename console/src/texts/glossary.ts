/** The names of the codes of the API, one for each code. A code without a name is shown by its own words. */
export const glossary = {
  user_hangup: 'person hung up',
  user_hung_up: 'person hung up',
  agent_hangup: 'agent hung up',
  call_transfer: 'transferred',
  voicemail_reached: 'voicemail',
  inactivity: 'no speech',
  max_duration_reached: 'maximum duration',
  dial_busy: 'busy',
  dial_no_answer: 'no answer',
  dial_failed: 'network failure',
  invalid_destination: 'invalid number',
  cancelled: 'cancelled',
  error: 'error',
  dispatch_failed: 'not handed to a runtime',
  dispatch_expired: 'no runtime in time',
  worker_lost: 'runtime lost',
};
