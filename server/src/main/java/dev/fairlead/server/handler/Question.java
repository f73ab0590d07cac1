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
import java.util.regex.Pattern;

/**
 * Something that a handler asks the client. Made here, asked by {@link ServerRequests#ask}.
 * Immutable.
 *
 * @param <T> the answer
 */
public sealed interface Question<T> {
    /** Returns the key that the author gave; null for none. */
    @Nullable String key();

    /**
     * The same question with a key, under which clients of revision 2026-07-28 answer it; without
     * one it is made of the question. Of questions that are asked together each key must be unique.
     *
     * @param key 1 to 64 characters {@code A-Z a-z 0-9 _ - .}
     * @throws IllegalArgumentException if it is not that
     */
    Question<T> as(String key);

    /**
     * Asks the person with a form, as {@link ServerRequests#elicit(String, Class)} does.
     *
     * @param form a record
     */
    static <A> Question<Answer<A>> elicit(String message, Class<A> form) {
        return elicit(message, TypeRef.of(form));
    }

    /** As {@link #elicit(String, Class)}, for a type with type arguments. */
    static <A> Question<Answer<A>> elicit(String message, TypeRef<A> form) {
        return new Form<>(message, form, null);
    }

    /** Asks the person, as {@link ServerRequests#elicit(ElicitRequest)} does. */
    static Question<ElicitResult> elicit(ElicitRequest request) {
        return new Elicitation(request, null);
    }

    /**
     * Has the model of the client continue a text.
     *
     * @param maxTokens the most tokens that the model may use
     */
    static Question<CreateMessageResult> sample(String text, long maxTokens) {
        return sample(CreateMessageRequest.of(text, maxTokens));
    }

    /**
     * Has the model of the client continue messages, as {@link
     * ServerRequests#sample(CreateMessageRequest)} does.
     */
    static Question<CreateMessageResult> sample(CreateMessageRequest request) {
        return new Sampling(request, null);
    }

    /** Asks for the roots of the client. */
    static Question<List<Root>> roots() {
        return new RootList(null);
    }

    /** A form whose components a record has. */
    record Form<A>(String message, TypeRef<A> form, @Nullable String key)
            implements Question<Answer<A>> {
        public Form {
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(form, "form");
        }

        @Override
        public Form<A> as(String key) {
            return new Form<>(message, form, Key.checked(key));
        }
    }

    /** A form or a page as the specification has it. */
    record Elicitation(ElicitRequest request, @Nullable String key)
            implements Question<ElicitResult> {
        public Elicitation {
            Objects.requireNonNull(request, "request");
        }

        @Override
        public Elicitation as(String key) {
            return new Elicitation(request, Key.checked(key));
        }
    }

    /** Messages that a model continues. */
    record Sampling(CreateMessageRequest request, @Nullable String key)
            implements Question<CreateMessageResult> {
        public Sampling {
            Objects.requireNonNull(request, "request");
        }

        @Override
        public Sampling as(String key) {
            return new Sampling(request, Key.checked(key));
        }
    }

    /** The roots. */
    record RootList(@Nullable String key) implements Question<List<Root>> {
        @Override
        public RootList as(String key) {
            return new RootList(Key.checked(key));
        }
    }

    /** The rule for keys. */
    final class Key {
        private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

        private Key() {}

        static String checked(String key) {
            if (!LEGAL.matcher(key).matches()) {
                throw new IllegalArgumentException(
                        "the key of a question must have 1 to 64 characters A-Z a-z 0-9 _ - . but"
                                + " was '"
                                + key
                                + "'");
            }
            return key;
        }
    }
}
