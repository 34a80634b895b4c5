// The content formats. Lengths of texts count Unicode code points, here as in the JSON Schemas generated from this file.
// Descriptions are read by the model. Unknown keys are stripped. What changes here may ask for a new `SCHEMA_VERSION`.
import { z } from "zod";

const contentId = z.string().min(1).describe("Set by the program: the session id");
const share = () => z.number().min(0).max(1);
const list = <T extends z.ZodType>(item: T, min: number, max: number) => z.array(item).min(min).max(max);

const quote = z.object({
  text: z.string().describe("Word for word as it stands in the source"),
  timestamp: z
    .string()
    .regex(/^\d{2}(?::[0-5]\d){1,2}$/)
    .exactOptional()
    .describe("MM:SS or HH:MM:SS, only where the source has one"),
  line: z.int().positive().exactOptional().describe("Set by the program: where it stands in the source"),
  context: z.string().exactOptional().describe("Who says it, and about what"),
});

const coreIdea = z.object({
  concept: z.string(),
  explanation: z.string().min(10),
  examples: z.array(z.string()).exactOptional(),
});

export const contentSummarySchema = z.object({
  contentId,
  headline: z.string().min(10).max(200).describe("The main point in one line"),
  tldr: z.string().min(20).max(500).describe("The whole in two or three sentences"),
  bullets: list(z.string(), 1, 10).describe("Key points, most important first"),
  tags: list(z.string(), 1, 20).describe("Short topic labels"),
  sentiment: z.enum(["positive", "neutral", "negative"]),
  category: z.string().describe("The one field it belongs to"),
  score: z.object({ relevanceToUser: share() }).describe("Set by the program"),
  overview: z.string().min(50).describe("What it is about, and why it was made"),
  keyThemes: list(z.string(), 3, 7),
  detailedAnalysis: z.string().min(100).describe("Arguments and evidence, in order"),
  narrativeFlow: z.string().min(50).describe("How it leads from its beginning to its end"),
  coreIdeas: list(coreIdea, 1, 10),
  importantQuotes: list(quote, 0, 20).describe("Each is checked against the source"),
  context: z.string().min(20).describe("What a reader must know beforehand"),
  relatedConcepts: list(z.string(), 0, 15),
  detectedSource: z
    .enum(["podcast", "transcript", "article", "youtube", "twitter", "text", "other"])
    .exactOptional(),
});

const hook = z.object({
  text: z.string().min(5),
  type: z.enum(["emotional", "curiosity", "controversy", "statistic", "story"]),
});

const angle = z.object({
  title: z.string().min(3).max(100),
  description: z.string().min(10),
  relevanceScore: share(),
});

const question = z.object({
  question: z.string().min(10),
  type: z.enum(["analytical", "practical", "philosophical", "comparative"]),
});

export const writingIdeasSchema = z.object({
  contentId,
  hooks: list(hook, 1, 5).describe("Openings that make one read on"),
  angles: list(angle, 1, 5).describe("Points of view to write from"),
  questions: list(question, 1, 5).describe("Questions that the new text may answer"),
});

const outlineSection = z.object({
  heading: z.string().min(1),
  notes: z.string().min(1).describe("What the section says and how"),
  keyPoints: list(z.string(), 1, 7),
  estimatedWords: z.number().positive().exactOptional(),
});

export const outlineSchema = z.array(outlineSection).min(1);

export const writingKitSchema = z.object({
  contentId,
  source: z
    .object({ id: z.string(), label: z.string(), url: z.string() })
    .describe("Set by the program: session id, title and address of the item"),
  summary: contentSummarySchema.describe("Set by the program: summary.json"),
  ideas: writingIdeasSchema.describe("Set by the program: ideas.json"),
  suggestedOutline: outlineSchema.describe("Set by the program: outline.json"),
  meta: z
    .object({ relevanceToUser: share(), estimatedReadingTimeMinutes: z.number().positive() })
    .describe("Set by the program"),
});

export type ContentSummary = z.infer<typeof contentSummarySchema>;
export type WritingIdeas = z.infer<typeof writingIdeasSchema>;
export type OutlineSection = z.infer<typeof outlineSection>;
export type WritingKit = z.infer<typeof writingKitSchema>;

/** The built-in artifacts by file name. A pipeline that names its own `schema` for a file uses that instead. */
export const artifactSchemas: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["summary.json", contentSummarySchema],
  ["ideas.json", writingIdeasSchema],
  ["outline.json", outlineSchema],
  ["writing-kit.json", writingKitSchema],
]);
