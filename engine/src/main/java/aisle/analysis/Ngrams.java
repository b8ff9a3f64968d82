package aisle.analysis;

import org.elasticsearch.index.IndexSettings;

/** Elasticsearch's limit on the lengths of n-grams, so that one field cannot blow up an index. */
final class Ngrams {

    private Ngrams() {}

    static void checkDifference(IndexSettings index, int min, int max, String kind) {
        int allowed = index.getMaxNgramDiff();
        if (max - min > allowed) {
            throw new IllegalArgumentException(
                "The difference between max_gram and min_gram in NGram " + kind
                    + " must be less than or equal to: [" + allowed + "] but was [" + (max - min)
                    + "]. This limit can be set by changing the ["
                    + IndexSettings.MAX_NGRAM_DIFF_SETTING.getKey() + "] index level setting."
            );
        }
    }
}
