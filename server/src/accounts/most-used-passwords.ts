/**
 * What is guessed first, in lower case: picked from the heads of four public lists that SecLists collects
 * (github.com/danielmiessler/SecLists, Passwords/Common-Credentials): 100k-most-used-passwords-NCSC, probable-v2 top
 * 12000, and the most used of 2023 and 2025; the seasons, months and some keyboard rows are added. Only what can
 * fulfil the form's rules with capitals, digits and signs is of use here.
 */

/** Alone, or with a few digits and signs around them. */
export const commonWords = words(`
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

/** As they are, or with signs added. */
export const commonPasswords = words(`
  12345qwert 12345qwerty 123456a 123456aa 123456abc 123456qwerty 1234567a 12345678a 123456789a 1234abcd 1234asdf
  1234qwer 123abc456 123admin 123qweasd 123qweasdzxc 12qwaszx 1a2b3c4d 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz1qaz
  1qaz2wsx 1qaz2wsx3edc 1qazxsw2 4815162342lost a1234567 a12345678 a123456789 a1b2c3d4 a1s2d3f4 aa102030 aa112233
  aa123123 aa123456 aa1234567 aa12345678 aa123456789 aa195043 aaaa1111 aabb1122 ab123456 abc12345 abc123456 abcd1234
  abcd12345 abcdefg1 abcdefg123 aboy1234 adam2312 ar123455 b123456789 blink182 bond007007 c123456789 cindylee1
  eliska81 flores123 formula1 global123 gvt12345 j123456789 jordan23 kapler123 lol123456 m123456789 mm123456 p455w0rd
  p4ssword pa55w0rd pa55word passer2009 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q123456789 qq123456 qqww1122 qwaszx12
  s123456789 target123 thx1138a x12345678 xbox360x z123456789 zag12wsx zaq12wsx zaq1xsw2 zxc12345
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
