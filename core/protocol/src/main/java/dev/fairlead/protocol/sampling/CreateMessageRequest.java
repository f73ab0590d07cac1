package dev.fairlead.protocol.sampling;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * Parameters of {@code sampling/createMessage}.
 *
 * @param messages the conversation
 * @param maxTokens how many tokens the answer may have
 * @param modelPreferences which model is wanted
 * @param systemPrompt a system prompt, which the client may change or leave out
 * @param includeContext which context is wanted; null means none
 * @param temperature how free the model is to choose
 * @param stopSequences texts that end the answer
 * @param metadata data for the provider of the model, in the provider's form
 * @param tools the tools that the model may use; needs the capability {@code sampling.tools}
 * @param toolChoice whether it must; needs the same
 * @param task asks for a task; null for a plain call
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record CreateMessageRequest(
        List<SamplingMessage> messages,
        long maxTokens,
        @Nullable ModelPreferences modelPreferences,
        @Nullable String systemPrompt,
        @Otherwise("none") @Nullable IncludeContext includeContext,
        @Nullable Double temperature,
        @Nullable List<String> stopSequences,
        @Nullable JsonObject metadata,
        @Nullable List<Tool> tools,
        @Nullable ToolChoice toolChoice,
        @Nullable TaskMetadata task,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements TaskAugmentedRequest {
    public CreateMessageRequest {
        messages = List.copyOf(messages);
        stopSequences = stopSequences == null ? null : List.copyOf(stopSequences);
        tools = tools == null ? null : List.copyOf(tools);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public CreateMessageRequest(List<SamplingMessage> messages, long maxTokens) {
        this(
                messages,
                maxTokens,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                JsonObject.EMPTY);
    }

    /** Creates a request with one text of the user. */
    public static CreateMessageRequest of(String text, long maxTokens) {
        return new CreateMessageRequest(List.of(SamplingMessage.user(text)), maxTokens);
    }

    /** Returns a copy with these {@code messages}. */
    public CreateMessageRequest withMessages(List<SamplingMessage> messages) {
        return with(messages, tools, toolChoice, task, meta);
    }

    /** Returns a copy with this {@code modelPreferences}; null removes it. */
    public CreateMessageRequest withModelPreferences(@Nullable ModelPreferences modelPreferences) {
        return withModel(
                modelPreferences, systemPrompt, includeContext, temperature, stopSequences);
    }

    /** Returns a copy with this {@code systemPrompt}; null removes it. */
    public CreateMessageRequest withSystemPrompt(@Nullable String systemPrompt) {
        return withModel(
                modelPreferences, systemPrompt, includeContext, temperature, stopSequences);
    }

    /** Returns a copy with this {@code includeContext}; null removes it. */
    public CreateMessageRequest withIncludeContext(@Nullable IncludeContext includeContext) {
        return withModel(
                modelPreferences, systemPrompt, includeContext, temperature, stopSequences);
    }

    /** Returns a copy with this {@code temperature}; null removes it. */
    public CreateMessageRequest withTemperature(@Nullable Double temperature) {
        return withModel(
                modelPreferences, systemPrompt, includeContext, temperature, stopSequences);
    }

    /** Returns a copy with this {@code stopSequences}; null removes it. */
    public CreateMessageRequest withStopSequences(@Nullable List<String> stopSequences) {
        return withModel(
                modelPreferences, systemPrompt, includeContext, temperature, stopSequences);
    }

    /** Returns a copy with this {@code tools}; null removes it. */
    public CreateMessageRequest withTools(@Nullable List<Tool> tools) {
        return with(messages, tools, toolChoice, task, meta);
    }

    /** Returns a copy with this {@code toolChoice}; null removes it. */
    public CreateMessageRequest withToolChoice(@Nullable ToolChoice toolChoice) {
        return with(messages, tools, toolChoice, task, meta);
    }

    @Override
    public CreateMessageRequest withTask(@Nullable TaskMetadata task) {
        return with(messages, tools, toolChoice, task, meta);
    }

    @Override
    public CreateMessageRequest withMeta(@Nullable JsonObject meta) {
        return with(messages, tools, toolChoice, task, meta);
    }

    private CreateMessageRequest with(
            List<SamplingMessage> messages,
            @Nullable List<Tool> tools,
            @Nullable ToolChoice toolChoice,
            @Nullable TaskMetadata task,
            @Nullable JsonObject meta) {
        return new CreateMessageRequest(
                messages,
                maxTokens,
                modelPreferences,
                systemPrompt,
                includeContext,
                temperature,
                stopSequences,
                metadata,
                tools,
                toolChoice,
                task,
                meta,
                otherMembers);
    }

    private CreateMessageRequest withModel(
            @Nullable ModelPreferences modelPreferences,
            @Nullable String systemPrompt,
            @Nullable IncludeContext includeContext,
            @Nullable Double temperature,
            @Nullable List<String> stopSequences) {
        return new CreateMessageRequest(
                messages,
                maxTokens,
                modelPreferences,
                systemPrompt,
                includeContext,
                temperature,
                stopSequences,
                metadata,
                tools,
                toolChoice,
                task,
                meta,
                otherMembers);
    }
}
