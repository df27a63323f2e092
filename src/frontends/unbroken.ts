// Code on one line, as if no formatter had broken it, so that what is written alike is alike. It knows no language's syntax.

/** What is far longer than what is asked of it is not looked at. */
const FAR = 3;

/** Of what comes to no more characters than `most`, else nothing. */
export function unbroken(text: string, most = Number.POSITIVE_INFINITY): string {
  if (text.length > FAR * most) return '';
  const whole = text.includes('\n') ? joined(text) : text;
  return whole.length > most ? '' : whole;
}

const joined = (text: string) =>
  text
    .replace(/\s+/g, (blank) => (blank.includes('\n') ? '\n' : blank))
    .replace(/(?<=[([.])\n|,?\n(?=[)\].])/g, '')
    .replaceAll('\n', ' ');
