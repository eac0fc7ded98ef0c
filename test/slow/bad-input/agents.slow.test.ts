import { testBadInput } from './refuses-bad-input';
import { agentRoutes } from './route-groups';

testBadInput(agentRoutes);
