// All tables, for what is asked of all: packages, the catalogue. A front end imports those of its language.
import { frameworks as jvm } from './jvm/index.ts';
import { frameworks as python } from './python/index.ts';
import { frameworks as ruby } from './ruby/index.ts';

export const frameworks = [...python, ...ruby, ...jvm];
