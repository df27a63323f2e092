// Code as if no formatter had broken its lines, so that what is written alike is alike. Of a language it knows brackets and dots alone.

/** What is far longer than what is asked of it is not looked at. */
const FAR = 3;

/** On one line; of what comes to no more characters than `most`, else nothing. */
export function unbroken(text: string, most = Number.POSITIVE_INFINITY): string {
  if (text.length > FAR * most) return '';
  const whole = closed(text).replaceAll('\n', ' ');
  return whole.length > most ? '' : whole;
}

/** Each statement on a line of its own: none is broken behind an open bracket, or before what closes one or a dot. */
export const closed = (text: string): string =>
  text.includes('\n')
    ? text
        .replace(/\s+/g, (blank) => (blank.includes('\n') ? '\n' : blank))
        .replace(/(?<=[([.])\n|,?\n(?=[)\].])/g, '')
    : text;
