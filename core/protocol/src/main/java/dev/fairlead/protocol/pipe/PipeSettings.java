package dev.fairlead.protocol.pipe;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.options.Checks;

import java.time.Duration;
import java.util.Objects;

/**
 * Name and bounds of a connection over a byte pipe.
 *
 * @param name the name of the transport in logs and in the names of threads, such as {@code stdio}
 * @param queuedMessages how many messages may wait to be written
 * @param queuedBytes how many bytes of parameters and results may wait to be written; one message
 *     may exceed it alone
 * @param sendTimeout how long a sender waits for place in the queue; a peer that reads nothing for
 *     this time is considered dead
 * @param answerGrace how long a server continues to answer requests after the end of the input,
 *     such as requests piped into it, or when it is closed
 * @param closeGrace how long queued messages may take to be written when the connection is closed
 * @param owner the owner of the things that the peer creates, unless the caller is known
 * @param caller the caller of the peer
 */
public record PipeSettings(
        String name,
        int queuedMessages,
        long queuedBytes,
        Duration sendTimeout,
        Duration answerGrace,
        Duration closeGrace,
        Owner owner,
        Caller caller) {

    public PipeSettings {
        Objects.requireNonNull(name, "name");
        Checks.positive(queuedMessages, "queuedMessages");
        Checks.positive(queuedBytes, "queuedBytes");
        Objects.requireNonNull(sendTimeout, "sendTimeout");
        Objects.requireNonNull(answerGrace, "answerGrace");
        Objects.requireNonNull(closeGrace, "closeGrace");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(caller, "caller");
    }

    /** Creates settings with the owner {@code new Owner.Local()} and an anonymous caller. */
    public PipeSettings(
            String name,
            int queuedMessages,
            long queuedBytes,
            Duration sendTimeout,
            Duration answerGrace,
            Duration closeGrace) {
        this(
                name,
                queuedMessages,
                queuedBytes,
                sendTimeout,
                answerGrace,
                closeGrace,
                new Owner.Local(),
                Caller.anonymous());
    }

    /** Returns the defaults: 1,000 messages, 64 MiB; 30 s to send, 5 s to answer, 2 s to close. */
    public static PipeSettings named(String name) {
        return new PipeSettings(
                name,
                1_000,
                64L << 20,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2));
    }

    /** Sets how long a sender waits for space in the queue. */
    public PipeSettings withSendTimeout(Duration timeout) {
        return new PipeSettings(
                name, queuedMessages, queuedBytes, timeout, answerGrace, closeGrace, owner, caller);
    }

    /** Sets how many messages may wait to be written. */
    public PipeSettings withQueuedMessages(int messages) {
        return new PipeSettings(
                name, messages, queuedBytes, sendTimeout, answerGrace, closeGrace, owner, caller);
    }

    /** Sets how long a server continues to answer after the end of the input, or when closed. */
    public PipeSettings withAnswerGrace(Duration grace) {
        return new PipeSettings(
                name, queuedMessages, queuedBytes, sendTimeout, grace, closeGrace, owner, caller);
    }

    /** Sets how long writing may take when the connection is closed. */
    public PipeSettings withCloseGrace(Duration grace) {
        return new PipeSettings(
                name, queuedMessages, queuedBytes, sendTimeout, answerGrace, grace, owner, caller);
    }

    /** Sets the owner of the things that the peer creates, by default {@code new Owner.Local()}. */
    public PipeSettings withOwner(Owner changed) {
        return new PipeSettings(
                name,
                queuedMessages,
                queuedBytes,
                sendTimeout,
                answerGrace,
                closeGrace,
                changed,
                caller);
    }

    /** Sets the caller of the peer; anonymous by default. */
    public PipeSettings withCaller(Caller changed) {
        return new PipeSettings(
                name,
                queuedMessages,
                queuedBytes,
                sendTimeout,
                answerGrace,
                closeGrace,
                owner,
                changed);
    }
}
