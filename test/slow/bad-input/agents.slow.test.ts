import { testBadInput } from '../../api/bad-input/refuses-bad-input';
import { agentRoutes } from '../../api/bad-input/route-groups';

testBadInput(agentRoutes);
