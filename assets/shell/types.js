// @ts-check
// The shapes of what Go sends. The page holds no range, default, label or help
// text of its own: it renders these.

/**
 * @typedef {{value: string, label: string, help?: string, disabled?: string, folded?: boolean, only?: Only}} Option
 *   disabled says why it cannot be chosen; folded ones are listed apart
 *
 * @typedef {{name: string, values: string[], or?: Only}} Only
 *   a parameter and the values with which another one has a use, or another such pair
 *
 * @typedef {object} Descriptor  a parameter
 * @property {string} name
 * @property {string} label
 * @property {string} symbol  the paper's letter, "" where it has none
 * @property {'number'|'integer'|'choice'|'set'|'bool'|'points'|'simplex'|'matrix'|'seed'|'camera'|'text'} type
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [step]  1 in a simplex of whole numbers, which have no fixed sum
 * @property {'linear'|'log'} [scale]
 * @property {Option[]} [options]
 * @property {boolean} [open]  a set of any names, without options
 * @property {boolean} [lines]  a text of several lines
 * @property {any} default
 * @property {string} unit
 * @property {string} help
 * @property {boolean} live
 * @property {'restart'|'live'|'rerun'|'display'} effect
 * @property {string} [method]  the method it belongs to
 * @property {string} [group]
 * @property {number} [atLeast]  smallest size of a set, smallest number of rows of a matrix
 * @property {number} [atMost]  largest number of points, names, rows, counted shares or characters of a text
 * @property {number} [columns]  of a matrix; how many shares a simplex has without a count
 * @property {string} [count]  of a simplex: the parameter that says how many shares there are; none at all are equal ones, or whole ones
 * @property {Only} [only]  with what this one is shown
 * @property {any} [value]  present once the scene runs
 *
 * @typedef {{id: string, title: string, lead: string, text: string, seeds?: string, values: Record<string, string>,
 *   selected?: string, hero?: string, keys?: string[]}} Preset
 * @typedef {{light: string, dark: string, outline: string, filled: boolean, dash: number[]}} Sign
 *   a method's hue in both themes, its marker as an SVG path of unit radius, its dash in pixels
 * @typedef {{id: string, title: string, paper: string, help: string, sign: Sign, code?: string[], instead?: string}} Method
 *   code lists the languages in which its runs can be taken away, instead says where it is had in Python otherwise
 * @typedef {{panel: string, width: string, method: string, param?: string, methods?: string[], seeds?: number}} Taking
 *   what of a scene is exported: a panel, "" for all, a width on paper such as "85mm", "" for the screen, and the method of a program;
 *   the parameter all of whose values are tried; the methods that are compared, over so many seeds
 * @typedef {{sign: string, text: string, source: string}} SymbolHelp
 *
 * @typedef {object} Scene
 * @property {string} id
 * @property {string} title
 * @property {string} question  what the scene answers
 * @property {string} hero  the id of the panel that tells most
 * @property {string[]} keys  the names of the parameters that matter most
 * @property {string} summary
 * @property {string} try
 * @property {string} [done]  what is to be seen once it has been done
 * @property {Method[]} methods
 * @property {SymbolHelp[]} symbols
 * @property {Descriptor[]} params
 * @property {Preset[]} presets
 * @property {Equation[]} [equations]
 * @property {PanelText[]} panels
 * @property {boolean} runs  there is something to play
 * @property {string} counts  what k counts, in the singular
 * @property {boolean} guest  it shows data that a visitor brings
 * @property {string} [dataSummary]  its summary where it does
 * @property {string} [dataTry]
 * @property {{text: string, step: string, baseline: string, settings: string}} [comparison]  by what its methods are compared
 * @property {{button: string, title: string, form: string, example: string, beside?: string, names?: string}} [data]
 *   where it invites a visitor to bring data
 *
 * @typedef {{name: string, method: string, label: string, start: any, status: string, x: any, f: any, weights: any,
 *   stationarity: any, bp: number, diverged?: {k: number, quantity: string, objective?: number}}} Run
 *
 * @typedef {{sha256: string, held: boolean, from: string, rows: number, columns: number, about?: string, notes?: string,
 *   growing?: boolean}} Data  growing: the file has grown, and the scene still shows what it was
 *   sha256 is "" where none were asked for; from is the origin of the page that sent them, "" where the visitor brought them
 *
 * @typedef {{param: string, line: number, column: number, length: number, text: string}} Fault
 *   of a text: where, from 1, in characters, how many of them, and what is expected there
 *
 * @typedef {object} State
 * @property {string} scene
 * @property {Record<string, any>} params
 * @property {number} iteration  the marker
 * @property {number} latest
 * @property {number} budget
 * @property {string} status
 * @property {string} trying  the parameter all of whose values are shown side by side, "" for none
 * @property {boolean} playing
 * @property {string} finding  what is to be seen where play has stopped by itself, "" once anything was done since
 * @property {boolean} looping  what was played is shown once more
 * @property {number|null} progress
 * @property {number|null} target  where a computation takes the marker
 * @property {string} hash
 * @property {string} selected
 * @property {string} hero  the id of the panel in front
 * @property {boolean} [allPanels]  the panels that are hidden at first are shown too
 * @property {{k: number, name: string, value: any}[]} log
 * @property {string[]} notices
 * @property {Run[]} runs
 * @property {any} results
 * @property {Data|null} [data]  of a visitor, null where none are shown
 * @property {string} card  the id of the open experiment, "" for none
 * @property {LessonState|null} lesson
 * @property {string[]} keys  the names of the parameters that matter now
 * @property {{letter: string, hash: string, title: string}[]} pins
 * @property {Record<string, number|null>} facts  at the marker
 * @property {string} [needs]  the address of a file of the page that the scene waits for
 * @property {{run: string, why: string, records: number, done: boolean, shown: boolean}} [recording]
 *   the log of the selected run: why it cannot be recorded, how many records there are, whether it is complete, or on show
 * @property {{words: string, scene: string, values: Record<string, string>|null, data: string}|null} [elsewhere]
 *   where the moment can be seen in detail
 * @property {{id: string, text: string, holds: boolean, panel: string, was?: string, since?: number}[]|null} [conclusions]
 *   its sentences on what it shows; since how many records of a file that grows one says this, and what it said before
 * @property {string} [heading]  above them, "" where none are to come
 * @property {Fault[]} [faults]  what is wrong with texts, which are then not what runs
 * @property {Record<string, string>} [idle]  the names of parameters that do nothing now, and why
 * @property {boolean} tried  what the scene invites to has been done
 * @property {boolean} undo  there is a change to take back
 * @property {boolean} changed  something differs from the scene's own values, or its experiment's
 *
 * @typedef {{columns: {symbol: string, label: string}[], rows: {run: string, method: string, label: string, cells: string[]}[]}} Readout
 * @typedef {{id: string, title: string, text: string, hidden?: boolean}} PanelText  hidden: behind the button that shows all
 *
 * @typedef {{changed?: string[], dragged?: string[], scrubbed?: boolean, pinned?: boolean, tried?: Record<string, string[]>, runs: number,
 *   reached?: boolean, numbers?: (number|null)[], shown?: boolean}} Attempts  what was done in a step; shown: by Show me
 * @typedef {{holds: boolean, measure: {now: number|null, op: string, asked: number|null}|null}} PartState  of a goal
 * @typedef {{name: string, step: number, reached: boolean, parts?: PartState[], numbers?: (number|null)[],
 *   attempts?: Attempts|null}} LessonState  the open step of a lesson; numbers once its goal is reached
 *
 * @typedef {{name: string, title: string, question: string, minutes: number, scene: string, steps: number, number: number|null,
 *   aim: string, after: string[]}} LessonEntry  a lesson in the path
 * @typedef {{question: string, answers: string[], reasons: string[], right: number[]}} Predict
 *   HTML; right are the indices of the answers that are, reasons say why one may give each answer, "" for none
 *
 * @typedef {object} LessonStep  what is text here is HTML, but for the title
 * @property {string} title
 * @property {string} text
 * @property {string} state  a hash without "#", "" keeps what is
 * @property {string} hero
 * @property {string[]} keys
 * @property {string} kind  "transfer" for a step that is answered without help
 * @property {string[]} hide  the panels that answer the question, and "numbers"
 * @property {Predict|null} predict
 * @property {{text: string, condition: any, parts: {text: string, condition: any}[]}|null} goal
 * @property {string} hint
 * @property {{verb: string, args: Record<string, any>}[]} show  the calls that reach the goal
 * @property {{verb: string, args: Record<string, any>}[]} reveal  what brings to the front what then is about
 * @property {string} then
 * @property {any[]} slots  the numbers that then quotes
 *
 * @typedef {{lesson: string, ask: string, answers: string[], right: number, state: string}} Question
 *   of the last page, as HTML; state is a hash without "#" that shows it
 *
 * @typedef {Omit<LessonEntry, 'steps'> & {steps: LessonStep[], words: number, know: string[], seeds: number[]}} Lesson
 *   seeds with each of which the whole lesson comes true, none where that is not known
 *
 * @typedef {object} PinsTable the last value of each row belongs to the live state
 * @property {{letter: string, hash: string, title: string, busy: boolean}[]} pins
 * @property {{name: string, label: string, values: string[]}[]} params  those that differ
 * @property {{name: string, label: string, unit: string, values: (number|null)[]}[]} facts
 *
 * @typedef {{id: string, methods: string[]|null, symbols: string, numbers: string, text: string}} Equation
 *   a step in MathML, in symbols and with slots for numbers; methods null for all
 * @typedef {{id: string, method: string, numbers: Record<string, string>, label?: string, k?: number, ahead?: boolean}} EquationNumbers
 *   of the step that leads to iteration k, ahead of the marker or not; without k of a decision in a scene without runs
 *
 * @typedef {object} Model  everything the elements draw from
 * @property {boolean} contents  the page shows its contents, and no scene
 * @property {Scene[]} scenes
 * @property {Scene|undefined} scene
 * @property {Descriptor[]} params
 * @property {State} state
 * @property {PanelText[]} panels
 * @property {string[]} shown  the ids of the panels that the canvas has room for, the one in front first
 * @property {Readout} readout
 * @property {boolean} live  the scene runs; before that the controls show what the link says
 * @property {number} life  counts the lives of the scene, so that unfinished calls of one do not disturb the next
 * @property {LessonEntry[]} [lessons]  the path
 * @property {Lesson} [definition]  the lesson opened last, as it was fetched
 * @property {LessonState & {definition: Lesson}} [lesson]  the one that is open, its step from 1
 * @property {{name: string, step: number}} [left]  the step of a lesson from which the visitor has gone elsewhere
 * @property {string} [demonstrated]  the step whose goal Show me has gone for, as "name:step"
 * @property {PinsTable|null} [pinsTable]
 * @property {EquationNumbers|null} [equation]
 */

export {};
