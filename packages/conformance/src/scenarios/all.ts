import type { Scenario } from '../scenario';
import { acknowledgementScenarios } from './acknowledgements';
import { claimScenarios } from './claims';
import { eventScenarios } from './events';
import { faultScenarios } from './faults';
import { hangupScenarios } from './hangups';
import { heartbeatScenarios } from './heartbeats';
import { incomingScenarios } from './incoming';
import { messageScenarios } from './messages';
import { reportScenarios } from './reports';
import { toolScenarios } from './tools';

export const SCENARIOS: Scenario[] = [
  ...claimScenarios,
  ...acknowledgementScenarios,
  ...heartbeatScenarios,
  ...eventScenarios,
  ...hangupScenarios,
  ...messageScenarios,
  ...reportScenarios,
  ...incomingScenarios,
  ...toolScenarios,
  ...faultScenarios,
];
