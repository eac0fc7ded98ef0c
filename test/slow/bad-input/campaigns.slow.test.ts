import { testBadInput } from './refuses-bad-input';
import { campaignRoutes } from './route-groups';

testBadInput(campaignRoutes);
