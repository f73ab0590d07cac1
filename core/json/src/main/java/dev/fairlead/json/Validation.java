package dev.fairlead.json;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;

import java.util.List;
import java.util.Locale;

/**
 * One evaluation of a schema, which ends when enough was found, when it has cost too much, and when
 * its thread is interrupted.
 */
final class Validation extends ExecutionContext {
    private static final int MAX_DEPTH = 1000;

    /** Errors of alternatives that are tried, which may be right in the end. */
    private static final int MAX_ERRORS = 100_000;

    private static final int UNINTERRUPTIBLE = 1024;

    private final List<Error> found = getErrors();
    private long errorsLeft; // of all alternatives
    private int keywords;

    /** Enough errors were found: as many as are reported. */
    static final class EnoughErrors extends RuntimeException {
        private static final long serialVersionUID = 1;

        EnoughErrors() {
            super("enough errors", null, false, false);
        }
    }

    Validation(long steps) {
        super(
                ExecutionConfig.builder(ExecutionConfig.getInstance())
                        .formatAssertionsEnabled(false)
                        .locale(Locale.ENGLISH)
                        .maxEvaluationDepth(MAX_DEPTH)
                        .maxEvaluationSteps(steps)
                        .build());
        this.errorsLeft = steps;
    }

    /** Returns the errors of the value, at most {@link Reading#MAX_VIOLATIONS}. */
    List<Error> found() {
        return found;
    }

    @Override
    public void addError(Error error) {
        super.addError(error);
        if (--errorsLeft < 0 || errorsLeft % UNINTERRUPTIBLE == 0 && isInterrupted()) {
            throw new BoundedPattern.TooCostly(); // one keyword may add thousands
        }
        int errors = getErrors().size();
        if (errors >= Reading.MAX_VIOLATIONS && getErrors() == found) {
            throw new EnoughErrors();
        }
        if (errors > MAX_ERRORS) {
            throw new BoundedPattern.TooCostly();
        }
    }

    @Override
    public void evaluationPathAddLast(String keyword) {
        if (++keywords % UNINTERRUPTIBLE == 0 && isInterrupted()) {
            throw new BoundedPattern.TooCostly();
        }
        super.evaluationPathAddLast(keyword);
    }

    private static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }
}
