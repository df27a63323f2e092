// fx and Scenic: migrations run the file of a version of a function, a trigger or a view, or drop that. Not what stands in it.
import { framework } from '../../framework.ts';

const FOLDERS = { function: 'functions', trigger: 'triggers', view: 'views' };
const runs = Object.fromEntries(
  Object.entries(FOLDERS).flatMap(([one, folder]) =>
    ['create', 'update', 'replace'].map((does) => [`${does}_${one}`, `db/${folder}`]),
  ),
);
const drops = {
  drop_function: 'drop routine',
  drop_trigger: 'drop trigger',
  drop_view: 'drop relation',
} as const;

export default framework({
  name: 'fx',
  language: 'ruby',
  packages: ['gem:fx', 'gem:scenic'],
  needles: [...Object.keys(runs), ...Object.keys(drops)],
  versions: {
    runs,
    drops,
    numbered: 'version',
  },
});
