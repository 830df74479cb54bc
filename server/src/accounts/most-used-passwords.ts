/**
 * The passwords that are guessed first, in lower case. An entry is useful only if it can satisfy the form's rules once
 * capitals and symbols are added.
 */
import type { dictionary as Dictionary } from '@zxcvbn-ts/language-common';
import { createRequire } from 'node:module';

/**
 * Returns whether a password is among nearly 50,000 from public breaches, most used first, or among the additions from
 * newer lists.
 */
export function isMostUsed(password: string): boolean {
  listed ??= new Set([...load(), ...newer]);
  return listed.has(password);
}

let listed: ReadonlySet<string> | undefined;

/** The library unpacks its lists when it is loaded. That takes a tenth of a second, and most commands need none. */
function load(): readonly string[] {
  const require = createRequire(import.meta.url);
  const { dictionary } = require('@zxcvbn-ts/language-common') as { readonly dictionary: typeof Dictionary };
  return dictionary['passwords-common'];
}

/**
 * Words often used with a few digits and symbols around them: from the tops of the public lists that SecLists collects
 * (github.com/danielmiessler/SecLists, Passwords/Common-Credentials) up to those of 2025, plus the seasons, months and
 * some keyboard rows.
 */
export const oftenDecorated = words(`
  access admin administrator alexander america amanda andrea andrew angel anthony apple arsenal asdf asdfg asdfgh
  asdfghjkl ashley asshole august austin azerty azertyuiop babygirl bailey banana barcelona baseball basketball batman
  beautiful benjamin bismillah brandon buster butterfly cameron changeme charlie chelsea chicken chocolate chris
  christian computer contrasena cookie cowboys dallas daniel david december demo diamond dolphin dragon eagles eminem
  family ferrari flower football forever freedom friends fuckoff fuckyou gabriel george ginger google guest guitar hannah
  happy harley heather hello heslo hockey hunter iloveme iloveu iloveyou india internet jackson james january jasmine
  jennifer jessica jesus johnny jonathan jordan joseph joshua juventus killer kumar lakers letmein linkedin liverpool
  london lovely loveme loveyou madison maggie manchester martin master matrix matthew maxwell melissa menara mercedes
  merlin metallica michael michelle mickey midnight minecraft monkey monster motdepasse mother motorola mustang myspace
  naruto nathan newyork nicholas nicole november october oliver olivia orange pakistan pass passw password passwort
  patrick peanut pepper phoenix pokemon porsche prince princess purple qazwsx qazwsxedc qwer qwert qwerty qwertyuiop
  rainbow realmadrid richard robert ronaldo samantha samsung scooter secret senha september shadow silver slipknot snoopy
  soccer spiderman starwars steelers student summer sunshine superman superstar taylor test testing thomas thunder
  tigger trustno turktelekom user vanessa victoria vodafone welcome whatever william windows winter yankees yellow zxcv
  zxcvb zxcvbn zxcvbnm
`);

const newer = words(`
  123abc456 123admin 1qaz1qaz aa102030 aa112233 aa1234567 aa12345678 aa195043 aabb1122 abcdefg123 aboy1234
  adam2312 ar123455 b123456789 bond007007 c123456789 cindylee1 eliska81 flores123 global123 gvt12345 j123456789
  kapler123 mm123456 passer2009 qqww1122 target123 thx1138a x12345678 xbox360x zag12wsx
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
