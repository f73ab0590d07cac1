package dev.fairlead.server.handler;

import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * A question of a handler to the client: a value that is created here and asked by {@link
 * ServerRequests#ask}. Immutable.
 *
 * @param <T> the type of the answer
 */
public sealed interface Question<T> {
    /** Returns the key set by {@link #as}; null for none. */
    @Nullable String key();

    /**
     * Returns the same question with a key. Clients of revision 2026-07-28 answer under the key;
     * without one it is derived from the question. Older revisions do not send it. Keys must be
     * unique among the questions that are asked together.
     *
     * @param key 1 to 64 characters {@code A-Z a-z 0-9 _ - .}
     * @throws IllegalArgumentException if the key is anything else
     */
    Question<T> as(String key);

    /**
     * Asks the person with a form, as {@link ServerRequests#elicit(String, Class)} does.
     *
     * @param form a flat record; one that is not flat is refused when the question is asked
     */
    static <A> Question<Answer<A>> elicit(String message, Class<A> form) {
        return elicit(message, TypeRef.of(form));
    }

    /** Returns a question like {@link #elicit(String, Class)}, for a type with type arguments. */
    static <A> Question<Answer<A>> elicit(String message, TypeRef<A> form) {
        return new RecordForm<>(message, form, null);
    }

    /** Asks the person, as {@link ServerRequests#elicit(ElicitRequest)} does. */
    static Question<ElicitResult> elicit(ElicitRequest request) {
        return new Elicitation(request, null);
    }

    /**
     * Has the client's model continue a text.
     *
     * @param maxTokens the most tokens that the model may generate
     */
    static Question<CreateMessageResult> sample(String text, long maxTokens) {
        return sample(CreateMessageRequest.of(text, maxTokens));
    }

    /**
     * Has the client's model continue messages, as {@link
     * ServerRequests#sample(CreateMessageRequest)} does.
     */
    static Question<CreateMessageResult> sample(CreateMessageRequest request) {
        return new Sampling(request, null);
    }

    /** Asks for the roots of the client. */
    static Question<List<Root>> roots() {
        return new RootList(null);
    }

    /** A form whose fields are the components of a record. */
    record RecordForm<A>(String message, TypeRef<A> form, @Nullable String key)
            implements Question<Answer<A>> {
        public RecordForm {
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(form, "form");
        }

        @Override
        public RecordForm<A> as(String key) {
            return new RecordForm<>(message, form, QuestionKey.checked(key));
        }
    }

    /** A form or a page, as the specification defines it. */
    record Elicitation(ElicitRequest request, @Nullable String key)
            implements Question<ElicitResult> {
        public Elicitation {
            Objects.requireNonNull(request, "request");
        }

        @Override
        public Elicitation as(String key) {
            return new Elicitation(request, QuestionKey.checked(key));
        }
    }

    /** Messages for a model to continue. */
    record Sampling(CreateMessageRequest request, @Nullable String key)
            implements Question<CreateMessageResult> {
        public Sampling {
            Objects.requireNonNull(request, "request");
        }

        @Override
        public Sampling as(String key) {
            return new Sampling(request, QuestionKey.checked(key));
        }
    }

    /** The list of roots. */
    record RootList(@Nullable String key) implements Question<List<Root>> {
        @Override
        public RootList as(String key) {
            return new RootList(QuestionKey.checked(key));
        }
    }
}
