import { testBadInput } from './refuses-bad-input';
import { callAndKnowledgeRoutes } from './route-groups';

testBadInput(callAndKnowledgeRoutes);
