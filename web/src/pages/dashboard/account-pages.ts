/** The dashboard's small pages, loaded as one script. */
export { AccountInfoPage } from './account-info/AccountInfoPage.tsx';
export { ChangeApiPage } from './change-api/ChangeApiPage.tsx';
export { DeleteAccountPage } from './delete-account/DeleteAccountPage.tsx';
export { DeletedFilesPage } from './deleted-files/DeletedFilesPage.tsx';
export { PlanInfoPage } from './plan-info/PlanInfoPage.tsx';
export { SecurityPage } from './security/SecurityPage.tsx';
export { SettingsPage } from './settings/SettingsPage.tsx';
export { UsagePage } from './usage/UsagePage.tsx';
