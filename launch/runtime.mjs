import './build/check-node.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build/build.mjs';
import { loadEnvironment } from './server/environment.mjs';
import { install } from './build/install.mjs';
import { LaunchError } from './process/launch-error.cjs';
import { root } from './process/root.mjs';
import {
  closeInTime,
  fail,
  handleSignals,
  onShutdown,
  shutDown,
  signalsAreExpected,
  stopWithNpm,
} from './process/shutdown.mjs';

const USAGE = `Usage: npm run runtime [-- --incoming NUMBER [--from NUMBER] | --outcomes PROBABILITIES]

  --incoming  plays one call that reaches the runtime at this number of an agent, and ends
  --from      the caller's number (default: withheld)
  --outcomes  how calls go by chance, such as answered=0.6,no_answer=0.3,busy=0.1; also voicemail, hang_up, opt_out
              and crash (default: RUNTIME_OUTCOMES, or the last digits of the number decide)
`;

/** The call to play; undefined: the runtime waits for calls. */
function readIncomingCall() {
  const options = { incoming: { type: 'string' }, from: { type: 'string' }, outcomes: { type: 'string' } };
  try {
    const { values } = parseArgs({ options });
    if (values.from !== undefined && values.incoming === undefined)
      throw new Error('--from needs --incoming.');
    // The option becomes the setting, whose value is checked with the others.
    if (values.outcomes !== undefined) process.env.RUNTIME_OUTCOMES = values.outcomes;
    if (values.incoming === undefined) return undefined;
    return { to_number: values.incoming, from_number: values.from ?? '' };
  } catch (error) {
    throw new LaunchError(`${error.message}\n\n${USAGE}`);
  }
}

handleSignals();
stopWithNpm('runtime');
try {
  const incoming = readIncomingCall();
  loadEnvironment();
  if (!process.env.RABBITMQ_URL) {
    throw new LaunchError(
      'RABBITMQ_URL is not set. A separate runtime needs RabbitMQ. Without RabbitMQ, npm start runs the simulated runtime in the server process.',
    );
  }
  await install('server');
  await build();
  const { answer, start } = createRequire(import.meta.url)(
    join(root, 'dist', 'tools', 'simulated-runtime', 'main.js'),
  );
  const runtime = incoming === undefined ? await start() : await answer(incoming);
  onShutdown(() => closeInTime(runtime));
  signalsAreExpected();
  if (incoming === undefined) console.log('The runtime is waiting for calls.');
  else {
    const refusal = await runtime.refusal;
    console.log(refusal === undefined ? 'The call has ended.' : `The call was refused: ${refusal}`);
    await shutDown(refusal === undefined ? 0 : 1);
  }
} catch (error) {
  await fail(error);
}
