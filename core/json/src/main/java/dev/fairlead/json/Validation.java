package dev.fairlead.json;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.annotation.Annotation;
import com.networknt.schema.annotation.Annotations;
import com.networknt.schema.path.NodePath;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One evaluation of a schema, which ends when enough was found, when it has cost too much, and when
 * its thread is interrupted.
 */
final class Validation extends ExecutionContext {
    private static final int MAX_DEPTH = 1000;

    /** Errors of alternatives that are tried, which may be right in the end. */
    private static final int MAX_ERRORS = 100_000;

    /** Lookups of a name or comparisons of two values that cost as much as one step. */
    static final long LOOKUPS_PER_STEP = 16;

    /** How many steps are made between two looks at the interrupt status of the thread. */
    private static final int UNINTERRUPTIBLE = 1024;

    /** Lookups that reading one annotation costs. */
    private static final int LOOKUPS_PER_ANNOTATION = 4;

    private final List<Error> found = getErrors();
    private final Annotations annotations = new CountedAnnotations();
    private long stepsLeft; // for errors of all alternatives, and for work within a step
    private long untilLook = UNINTERRUPTIBLE;

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
        this.stepsLeft = steps;
    }

    /** Returns the errors of the value, at most {@link Reading#MAX_VIOLATIONS}. */
    List<Error> found() {
        return found;
    }

    @Override
    public void addError(Error error) {
        super.addError(error);
        spend(1); // one keyword may add thousands
        int errors = getErrors().size();
        if (errors >= Reading.MAX_VIOLATIONS && getErrors() == found) {
            throw new EnoughErrors();
        }
        if (errors > MAX_ERRORS) {
            throw new BoundedPattern.TooCostly();
        }
    }

    /**
     * Counts work that one keyword does in one step.
     *
     * @throws BoundedPattern.TooCostly if it is too much, or if the thread is interrupted
     */
    static void spend(ExecutionContext context, long lookups) {
        if (context instanceof Validation validation) { // a schema by its meta-schema is none
            validation.spend(lookups / LOOKUPS_PER_STEP);
        }
    }

    /** Keywords such as {@code unevaluatedProperties} read all annotations of their place. */
    @Override
    public Annotations getAnnotations() {
        return annotations;
    }

    private final class CountedAnnotations extends Annotations {
        private final Map<NodePath, List<Annotation>> byPlace = new ByPlace();

        @Override
        public Map<NodePath, List<Annotation>> asMap() {
            return byPlace;
        }

        @Override
        public void put(Annotation annotation) {
            byPlace.computeIfAbsent(annotation.getInstanceLocation(), place -> new ArrayList<>())
                    .add(annotation);
        }
    }

    private final class ByPlace extends LinkedHashMap<NodePath, List<Annotation>> {
        private static final long serialVersionUID = 1;

        @Override
        public List<Annotation> get(Object place) {
            return getOrDefault(place, List.of());
        }

        @Override
        public List<Annotation> getOrDefault(Object place, List<Annotation> none) {
            List<Annotation> read = super.getOrDefault(place, none);
            long lookups = 0;
            for (Annotation annotation : read) {
                lookups += LOOKUPS_PER_ANNOTATION;
                lookups += annotation.getValue() instanceof Collection<?> names ? names.size() : 0;
            }
            spend(Validation.this, lookups);
            return read;
        }
    }

    private void spend(long steps) {
        stepsLeft -= steps;
        if (stepsLeft < 0) {
            throw new BoundedPattern.TooCostly();
        }
        look(steps);
    }

    @Override
    public void evaluationPathAddLast(String keyword) {
        look(1);
        super.evaluationPathAddLast(keyword);
    }

    private void look(long steps) {
        untilLook -= steps;
        if (untilLook < 0) {
            untilLook = UNINTERRUPTIBLE;
            if (Thread.currentThread().isInterrupted()) {
                throw new BoundedPattern.TooCostly();
            }
        }
    }
}
