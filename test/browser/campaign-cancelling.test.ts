import { BackgroundLoops } from '../../src/platform/background/background-loops';
import { CampaignAdvancer } from '../../src/features/campaigns/running/campaign-advancer';
import { createAgent } from '../support/agents';
import { accessibilityProblems, describeInBrowser, TestBrowser } from '../support/browser';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { useOwnParley } from '../support/parley';
import { signInWith } from '../support/signed-in';
import { useStarted } from '../support/use-started';

describeInBrowser('A campaign that is cancelled', () => {
  const parley = useOwnParley();
  const browser = useStarted(() => TestBrowser.start());

  test('is being cancelled in the console until no recipient is left', async () => {
    // The test decides when the remaining recipients are removed.
    parley.app.get(BackgroundLoops).stop();
    const workspace = await parley.workspace();
    const id = await createCampaign(workspace.api, await createAgent(workspace), recipientsFile(3), {
      campaignName: 'Autumn',
    });
    const context = await browser.newContext();
    await signInWith(context, parley.url, workspace.apiKey);
    const page = await browser.open(context, `${parley.url}/campaigns/${id}`);
    await page.getByRole('button', { name: 'Cancel campaign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click();

    await page.getByText('Cancelling … No one else will be called. Still to skip: 3 people.').waitFor();
    await page.getByText(/cancelling …$/).waitFor();
    await page.getByRole('row', { name: /^not called yet, being cancelled 3 / }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const list = await browser.open(context, `${parley.url}/campaigns`);
    await list.getByRole('row', { name: /Autumn.*cancelling …/ }).waitFor();

    await parley.app.get(CampaignAdvancer, { strict: false }).finish(id, true);
    await page.getByText('Campaign cancelled.').waitFor();
    await page
      .getByText(/^\W*cancelled$/)
      .first()
      .waitFor();
    await page.getByRole('row', { name: /^skipped 3 100/ }).waitFor();
    await list.getByRole('row', { name: /Autumn.*cancelled 0 of 3 ?3 skipped/ }).waitFor();
    expect(browser.complaints).toEqual([]);
    await context.close();
  });
});
