import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import type { Page } from '@playwright/test';
import { type PastEvent, recordActivity } from '../harness/past-events.ts';
import { expect, test } from '../harness/test.ts';

const path = '/dashboard/usage';
const region = (page: Page) => page.getByRole('region', { name: 'Activity' });
const rows = (page: Page) => region(page).getByRole('row');
const hour = 3_600_000;

const past = (event: ActivityEvent, name: string, hoursAgo: number): PastEvent => ({
  event,
  name: name.replace(/\W/g, ''),
  originalName: name,
  bytes: 1_234_567,
  at: new Date(Date.now() - hoursAgo * hour),
});

const oneOfEach = [
  past('dormancy', 'wreck.txt', 24 * 40),
  past('inactivity', 'mussel.txt', 24 * 4),
  past('inactivity', 'barnacle.txt', 24 * 3),
  past('continuous_uploading', 'kelp.txt', 30),
  past('malware', 'trojan.zip', 5),
  past('takedown', 'film.mkv', 4),
  past('restored', 'film.mkv', 2),
];

const many = Array.from({ length: 60 }, (_, index) =>
  past('inactivity', `file-${String(index).padStart(2, '0')}.txt`, 100 - index),
);

test('events show the file, the outcome and the reason once, latest first', async ({ page, person, site }) => {
  recordActivity(site, person, oneOfEach);
  await page.goto(path);
  await expect(rows(page)).toHaveText([
    /File.*Size.*When/,
    /Restored.*1 file.*old link works again/,
    /film\.mkv.*1\.23 MB.*2 hours ago/,
    /Taken down.*1 file.*complaint/,
    /film\.mkv.*4 hours ago/,
    /Removed as malware.*scanner.*cannot be uploaded again/,
    /trojan\.zip.*5 hours ago/,
    /Deleted to make room.*account was full/,
    /kelp\.txt.*1 day ago/,
    /Deleted as inactive.*2 files.*Auto Delete Inactive Files/,
    /barnacle\.txt.*3 days ago/,
    /mussel\.txt.*4 days ago/,
    /Deleted with an inactive account.*12 months/,
    /wreck\.txt.*1 month ago/,
  ]);
  await region(page).getByRole('link', { name: 'How to object' }).press('Enter');
  await expect(page).toHaveURL(/\/dmca-policy#counter-notification$/);
});

test('pages are turned by keyboard, kept in the URL and announced', async ({ page, person, site }) => {
  recordActivity(site, person, many);
  await page.goto(path);
  await expect(region(page)).toContainText('1–25 of 60');
  await expect(rows(page).nth(2)).toContainText('file-59.txt');
  await expect(region(page).getByText('Previous')).toBeDisabled();
  await region(page).getByRole('link', { name: 'Next' }).press('Enter');
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(rows(page).nth(2)).toContainText('file-34.txt');
  await expect(region(page)).toBeFocused();
  await expect(region(page).getByText('Page 2 of 3 of the activity')).toBeAttached();
  await page.getByRole('link', { name: 'Next' }).press('Enter');
  await expect(region(page)).toContainText('51–60 of 60');
  await expect(rows(page)).toHaveCount(12);
  await expect(region(page).getByText('Next')).toBeDisabled();
  await page.goBack();
  await expect(rows(page).nth(2)).toContainText('file-34.txt');
  await page.reload();
  await expect(region(page)).toContainText('26–50 of 60');
  await page.getByRole('link', { name: 'Previous' }).press('Enter');
  await expect(page).toHaveURL(/\/usage$/);
  await page.goto(`${path}?page=9`);
  await expect(region(page)).toContainText('There is nothing on page 9');
  await page.getByRole('link', { name: 'Go to the first page' }).press('Enter');
  await expect(region(page)).toContainText('1–25 of 60');
});

test('one cause is shown alone, in the URL, and an empty one offers all again', async ({ page, person, site }) => {
  recordActivity(site, person, [...many, ...oneOfEach.slice(-3)]);
  await page.goto(`${path}?page=2`);
  await expect(region(page)).toContainText('26–50 of 63');
  const filter = region(page).getByRole('combobox', { name: 'Show' });
  await filter.selectOption('Deleted as inactive');
  await expect(page).toHaveURL(/\?event=inactivity$/);
  await expect(region(page)).toContainText('1–25 of 60');
  await region(page).getByRole('link', { name: 'Next' }).press('Enter');
  await expect(page).toHaveURL(/\?page=2&event=inactivity$/);
  await expect(region(page)).toContainText('26–50 of 60');
  await filter.selectOption('Removed as malware');
  await expect(rows(page)).toHaveText([/File.*Size.*When/, /Removed as malware/, /trojan\.zip/]);
  await filter.selectOption('Deleted to make room');
  await expect(region(page)).toContainText('No such activity');
  await region(page).getByRole('link', { name: 'Show all activity' }).press('Enter');
  await expect(page).toHaveURL(/\/usage$/);
  await expect(filter).toHaveValue('');
  await page.goto(`${path}?event=storm`);
  await expect(region(page)).toContainText('1–25 of 63');
});
