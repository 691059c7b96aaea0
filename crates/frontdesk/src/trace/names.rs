//! Attribute names: OpenTelemetry's for generative AI, OpenInference's kinds, and Langfuse's.
//! Pinned here because the conventions still change.

pub(super) const OPERATION: &str = "gen_ai.operation.name";
pub(super) const PROVIDER: &str = "gen_ai.provider.name";
pub(super) const AGENT: &str = "gen_ai.agent.name";
pub(super) const CONVERSATION: &str = "gen_ai.conversation.id";
pub(super) const REQUEST_MODEL: &str = "gen_ai.request.model";
pub(super) const RESPONSE_MODEL: &str = "gen_ai.response.model";
pub(super) const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
pub(super) const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
pub(super) const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
pub(super) const CACHED_TOKENS: &str = "gen_ai.usage.cache_read.input_tokens";
pub(super) const FIRST_TOKEN: &str = "gen_ai.response.time_to_first_chunk";
pub(super) const TOOL: &str = "gen_ai.tool.name";
pub(super) const TOOL_CALL: &str = "gen_ai.tool.call.id";
pub(super) const TOOL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
pub(super) const TOOL_RESULT: &str = "gen_ai.tool.call.result";
pub(super) const INPUT_MESSAGES: &str = "gen_ai.input.messages";
pub(super) const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
pub(super) const ERROR: &str = "error.type";
pub(super) const USER: &str = "user.id";
pub(super) const SESSION: &str = "session.id";

pub(super) const KIND: &str = "openinference.span.kind";

pub(super) const TURN: &str = "frontdesk.turn.id";
pub(super) const COMPANY: &str = "frontdesk.company.id";
pub(super) const OUTCOME: &str = "frontdesk.turn.outcome";
pub(super) const RESUMED: &str = "frontdesk.turn.resumed";
pub(super) const ESTIMATED: &str = "frontdesk.usage.estimated";
pub(super) const REPLAYED: &str = "frontdesk.replayed";
pub(super) const EFFECT: &str = "frontdesk.tool.effect";
pub(super) const DECISION: &str = "frontdesk.approval.decision";
pub(super) const DOCUMENTS: &str = "frontdesk.retrieval.documents";
pub(super) const BEST_SCORE: &str = "frontdesk.retrieval.best_score";

pub(super) const LANGFUSE_NAME: &str = "langfuse.trace.name";
pub(super) const LANGFUSE_USER: &str = "langfuse.user.id";
pub(super) const LANGFUSE_SESSION: &str = "langfuse.session.id";
pub(super) const LANGFUSE_TRACE_INPUT: &str = "langfuse.trace.input";
pub(super) const LANGFUSE_TRACE_OUTPUT: &str = "langfuse.trace.output";
pub(super) const LANGFUSE_METADATA: &str = "langfuse.trace.metadata.";
pub(super) const LANGFUSE_TYPE: &str = "langfuse.observation.type";
pub(super) const LANGFUSE_INPUT: &str = "langfuse.observation.input";
pub(super) const LANGFUSE_OUTPUT: &str = "langfuse.observation.output";
pub(super) const LANGFUSE_MODEL: &str = "langfuse.observation.model.name";
pub(super) const LANGFUSE_USAGE: &str = "langfuse.observation.usage_details";
pub(super) const LANGFUSE_FIRST_TOKEN: &str = "langfuse.observation.completion_start_time";
pub(super) const LANGFUSE_LEVEL: &str = "langfuse.observation.level";
pub(super) const LANGFUSE_STATUS: &str = "langfuse.observation.status_message";
