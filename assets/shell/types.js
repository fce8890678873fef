// @ts-check
// The types of the data that Go sends. The page itself defines no ranges, defaults, labels or help texts; it renders
// these.

/**
 * @typedef {{value: string, label: string, help?: string, disabled?: string, folded?: boolean, only?: Only}} Option
 *   disabled says why the option is unavailable; folded options are listed separately
 *
 * @typedef {{name: string, values: string[], or?: Only}} Only
 *   a parameter, the values for which another parameter has an effect, and an alternative
 *
 * @typedef {object} Descriptor  a parameter
 * @property {string} name
 * @property {string} label
 * @property {string} symbol  the paper's letter, "" if it has none
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
 * @property {number} [atLeast]  minimum size of a set, minimum number of rows of a matrix
 * @property {number} [atMost]  maximum number of points, names, rows, counted shares or characters of a text
 * @property {number} [columns]  of a matrix; the number of shares of a simplex without a count
 * @property {string} [count]  of a simplex: the parameter with the number of shares; no shares mean equal ones, or whole ones
 * @property {Only} [only]  the condition for showing it
 * @property {any} [value]  present once the scene runs
 *
 * @typedef {{id: string, title: string, lead: string, text: string, seeds?: string, values: Record<string, string>,
 *   selected?: string, hero?: string, keys?: string[]}} Preset
 * @typedef {{light: string, dark: string, outline: string, filled: boolean, dash: number[]}} Sign
 *   a method's hue in both themes, its marker as an SVG path of unit radius, its dash in pixels
 * @typedef {{id: string, title: string, paper: string, help: string, sign: Sign, code?: string[], instead?: string}} Method
 *   code lists the languages of its programs; instead says where else Python has the method
 * @typedef {{panel: string, width: string, method: string, param?: string, methods?: string[], seeds?: number}} Taking
 *   what to export: a panel, "" for all; a width on paper such as "85mm", "" for the screen; the method of a program;
 *   the parameter whose values are all tried; the compared methods and the number of seeds
 * @typedef {{sign: string, text: string, source: string}} SymbolHelp
 *
 * @typedef {object} Scene
 * @property {string} id
 * @property {string} title
 * @property {string} question  the question that the scene answers
 * @property {string} hero  the id of the main panel
 * @property {string[]} keys  the names of the parameters that matter most
 * @property {string} summary
 * @property {string} try
 * @property {string} [done]  what to look at after trying it
 * @property {Method[]} methods
 * @property {SymbolHelp[]} symbols
 * @property {Descriptor[]} params
 * @property {Preset[]} presets
 * @property {Equation[]} [equations]
 * @property {PanelText[]} panels
 * @property {boolean} runs  whether there is something to play
 * @property {string} counts  what k counts, in the singular
 * @property {boolean} guest  whether it can show a visitor's data
 * @property {string} [dataSummary]  the summary when it shows them
 * @property {string} [dataTry]
 * @property {{text: string, step: string, baseline: string, settings: string}} [comparison]  how its methods are compared
 * @property {{button: string, title: string, form: string, example: string, beside?: string, names?: string}} [data]
 *   present if the scene invites visitors to bring data
 *
 * @typedef {{name: string, method: string, label: string, start: any, status: string, x: any, f: any, weights: any,
 *   stationarity: any, bp: number, diverged?: {k: number, quantity: string, objective?: number}}} Run
 *
 * @typedef {{sha256: string, held: boolean, from: string, rows: number, columns: number, about?: string, notes?: string,
 *   growing?: boolean}} Data  growing: the file has grown, and the scene still shows its previous version
 *   sha256 is "" if the scene asks for no data; from is the origin of the page that sent them, "" for the visitor's own
 *
 * @typedef {{param: string, line: number, column: number, length: number, text: string}} Fault
 *   in a text: its position from 1 and its length, in characters, and what is expected there
 *
 * @typedef {object} State
 * @property {string} scene
 * @property {Record<string, any>} params
 * @property {number} iteration  the marker
 * @property {number} latest
 * @property {number} budget
 * @property {string} status
 * @property {string} trying  the parameter whose values are all shown side by side, or ""
 * @property {boolean} playing
 * @property {string} finding  what to look at when play has stopped by itself, "" after any later action
 * @property {boolean} looping  whether it is playing once more
 * @property {boolean} flows  whether the runs have stopped, and only the dots beside them move
 * @property {number|null} progress
 * @property {number|null} target  the marker's position after the computation under way
 * @property {string} hash
 * @property {string} selected
 * @property {string} hero  the id of the panel in front
 * @property {boolean} [allPanels]  whether the panels hidden at first are shown too
 * @property {{k: number, name: string, value: any}[]} log
 * @property {string[]} notices
 * @property {Run[]} runs
 * @property {any} results
 * @property {Data|null} [data]  the visitor's data if they are shown, otherwise null
 * @property {string} card  the id of the open experiment, or ""
 * @property {LessonState|null} lesson
 * @property {string[]} keys  the names of the parameters that matter now
 * @property {{letter: string, hash: string, title: string}[]} pins
 * @property {Record<string, number|null>} facts  at the marker
 * @property {string} [needs]  the address of a file that the scene needs from the page
 * @property {{run: string, why: string, records: number, done: boolean, shown: boolean}} [recording]
 *   the log of the selected run: why it cannot be recorded, its number of records, whether it is complete, whether it is shown
 * @property {{words: string, scene: string, values: Record<string, string>|null, data: string}|null} [elsewhere]
 *   the scene that can show the current step in detail
 * @property {{id: string, text: string, holds: boolean, panel: string, was?: string, since?: number}[]|null} [conclusions]
 *   sentences about the picture; was and since give the previous text and the number of records at the change of a growing file
 * @property {string} [heading]  above the sentences, "" if the scene never has any
 * @property {Fault[]} [faults]  faults of texts; the scene does not use such texts
 * @property {Record<string, string>} [idle]  maps parameters that currently have no effect to the reasons
 * @property {boolean} tried  whether the visitor has done what the scene suggests
 * @property {boolean} undo  whether there is a change to undo
 * @property {boolean} changed  whether a value differs from the scene's or the experiment's
 *
 * @typedef {{columns: {symbol: string, label: string}[], rows: {run: string, method: string, label: string, cells: string[]}[]}} Readout
 * @typedef {{id: string, title: string, text: string, hidden?: boolean}} PanelText  hidden: shown only by the button for all panels
 *
 * @typedef {{changed?: string[], dragged?: string[], scrubbed?: boolean, pinned?: boolean, tried?: Record<string, string[]>, runs: number,
 *   reached?: boolean, numbers?: (number|null)[], shown?: boolean}} Attempts  the visitor's actions in a step; shown: by Show me
 * @typedef {{holds: boolean, measure: {now: number|null, op: string, asked: number|null}|null}} PartState  of a goal
 * @typedef {{name: string, step: number, reached: boolean, parts?: PartState[], numbers?: (number|null)[],
 *   attempts?: Attempts|null}} LessonState  the open step of a lesson; numbers once its goal is reached
 *
 * @typedef {{name: string, title: string, question: string, minutes: number, scene: string, steps: number, number: number|null,
 *   aim: string, after: string[]}} LessonEntry  a lesson in the path
 * @typedef {{question: string, answers: string[], reasons: string[], right: number[]}} Predict
 *   HTML; right has the indices of the right answers; reasons say why a visitor may give each answer, or are ""
 *
 * @typedef {object} LessonStep  all texts except the title are HTML
 * @property {string} title
 * @property {string} text
 * @property {string} state  a hash without "#"; "" keeps the current state
 * @property {string} hero
 * @property {string[]} keys
 * @property {string} kind  "transfer" for a step to answer without help
 * @property {string[]} hide  the panels that answer the question, and "numbers"
 * @property {Predict|null} predict
 * @property {{text: string, condition: any, parts: {text: string, condition: any}[]}|null} goal
 * @property {string} hint
 * @property {{verb: string, args: Record<string, any>}[]} show  the calls that reach the goal
 * @property {{verb: string, args: Record<string, any>}[]} reveal  calls that bring the subject of "then" to the front
 * @property {string} then
 * @property {any[]} slots  the numbers that "then" quotes
 *
 * @typedef {{lesson: string, ask: string, answers: string[], right: number, state: string}} Question
 *   of the last page, as HTML; state is a hash without "#" that shows it
 *
 * @typedef {Omit<LessonEntry, 'steps'> & {steps: LessonStep[], words: number, know: string[], seeds: number[]}} Lesson
 *   seeds are those for which the whole lesson holds; empty if unknown
 *
 * @typedef {object} PinsTable the last value of each row belongs to the live state
 * @property {{letter: string, hash: string, title: string, busy: boolean}[]} pins
 * @property {{name: string, label: string, values: string[]}[]} params  parameters that differ
 * @property {{name: string, label: string, unit: string, values: (number|null)[]}[]} facts
 *
 * @typedef {{id: string, methods: string[]|null, symbols: string, numbers: string, text: string}} Equation
 *   a step in MathML, in symbols and with slots for numbers; methods null means all
 * @typedef {{id: string, method: string, numbers: Record<string, string>, label?: string, k?: number, ahead?: boolean}} EquationNumbers
 *   numbers of the step that leads to iteration k; ahead: beyond the marker; without k, of a decision in a scene without runs
 *
 * @typedef {object} Model  everything the elements draw from
 * @property {boolean} contents  whether the page shows its contents instead of a scene
 * @property {Scene[]} scenes
 * @property {Scene|undefined} scene
 * @property {Descriptor[]} params
 * @property {State} state
 * @property {PanelText[]} panels
 * @property {string[]} shown  the ids of the panels that fit on the canvas, the front one first
 * @property {Readout} readout
 * @property {Map<string, any>} asked  the values that the visitor has chosen and the scene has not set yet, by parameter; until
 *   then their controls stay as the visitor left them
 * @property {boolean} live  whether the scene runs; before that the controls show the link's values
 * @property {number} life  counts the starts of the scene, so that unfinished calls of one do not disturb the next
 * @property {LessonEntry[]} [lessons]  the path
 * @property {Lesson} [definition]  the lesson opened last, as fetched
 * @property {LessonState & {definition: Lesson}} [lesson]  the open lesson, its step from 1
 * @property {{name: string, step: number}} [left]  the step of a lesson that the visitor has left
 * @property {string} [demonstrated]  the step whose goal Show me has demonstrated, as "name:step"
 * @property {PinsTable|null} [pinsTable]
 * @property {EquationNumbers|null} [equation]
 */

export {};
