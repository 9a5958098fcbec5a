/** Why a password is easy to guess, and what to do; undefined for one that is good enough. */
export function findWeakness(password: string, about: readonly string[] = []): string | undefined {
  const plain = password.toLowerCase();
  if (new Set(plain).size < 5) return "This password repeats a few characters. Use more different ones.";
  if (SEQUENCES.some((sequence) => sequence.includes(plain)))
    return "This password is a sequence of keys. Use several unrelated words.";
  if (COMMON.has(plain.replaceAll(/[^a-z]/g, "").replace(/^(.+?)\1+$/, "$1")))
    return "This password is one of the most common ones. Use several unrelated words.";
  const own = about.flatMap((text) => [text, text.split("@")[0] ?? ""]).map((text) => text.toLowerCase());
  const isOwn = own.some((text) => text.length >= 4 && plain.replaceAll(/[\d\W_]+$/g, "") === text);
  if (isOwn || own.includes(plain))
    return "This password is your name or email address. Use several unrelated words.";
  return undefined;
}

const FORWARD = [
  "0123456789012345678901234567890",
  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
];
const SEQUENCES = FORWARD.flatMap((sequence) => [sequence, [...sequence].reverse().join("")]);

/** Letters alone and once, so that `Password123!` and `admin-admin` are among them. */
const COMMON = new Set([
  "password",
  "passwort",
  "passw",
  "pssword",
  "letmein",
  "iloveyou",
  "welcome",
  "administrator",
  "admin",
  "changeme",
  "changemenow",
  "qwerty",
  "qwertyuiop",
  "asdfghjkl",
  "football",
  "baseball",
  "sunshine",
  "princess",
  "superman",
  "trustno",
  "monkey",
  "dragon",
  "secret",
  "moderator",
  "test",
  "correcthorsebatterystaple",
]);
