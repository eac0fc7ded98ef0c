import { testBadInput } from '../../api/bad-input/refuses-bad-input';
import { callAndKnowledgeRoutes } from '../../api/bad-input/route-groups';

testBadInput(callAndKnowledgeRoutes);
