import '../../launch/build/check-node.mjs';
import { runSuite } from './run-suite.mjs';

await runSuite('neighbours');
