// How a class's name becomes a table's: OrderLine is order_line.

export const snake = (text: string) =>
  text
    .replace(/[`"]/g, '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

/** Of what a path ends with, which another name may stand for where it is imported. */
export const snakeOf = (path: string) => snake(path.slice(path.lastIndexOf('.') + 1));
